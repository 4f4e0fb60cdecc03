"""Overview: the page."""
