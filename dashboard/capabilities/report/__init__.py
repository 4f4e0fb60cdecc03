"""Report: the page and its commands."""
