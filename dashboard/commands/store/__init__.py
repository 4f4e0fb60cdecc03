"""Commands on the whole store."""
