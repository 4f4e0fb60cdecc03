"""Topics: the page and its commands."""
