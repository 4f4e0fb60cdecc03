"""Robustness: the page and its commands."""
