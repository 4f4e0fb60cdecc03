"""Collect: the page and its commands."""
