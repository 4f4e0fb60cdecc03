"""GRAMMAR: the page and its commands."""
