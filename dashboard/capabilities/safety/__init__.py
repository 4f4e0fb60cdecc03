"""Commands on safety, one file each."""
