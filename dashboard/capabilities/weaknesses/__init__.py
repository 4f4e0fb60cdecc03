"""Weaknesses: the page and its commands."""
