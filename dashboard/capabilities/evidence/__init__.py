"""Evidence: the commands."""
