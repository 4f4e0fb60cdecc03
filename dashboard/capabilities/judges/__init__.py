"""Judges: the page and its commands."""
