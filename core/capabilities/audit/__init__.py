"""Who changed what, and whether the log of that is whole."""
