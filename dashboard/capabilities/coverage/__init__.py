"""Coverage: the page and its commands."""
