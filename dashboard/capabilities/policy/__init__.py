"""Policy: the page and its commands."""
