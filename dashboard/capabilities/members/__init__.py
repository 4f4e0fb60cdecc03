"""Members: the page and its commands."""
