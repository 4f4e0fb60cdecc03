"""Coverage."""
