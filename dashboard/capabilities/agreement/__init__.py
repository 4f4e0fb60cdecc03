"""Agreement: the page and its commands."""
