"""Sign off: the commands."""
