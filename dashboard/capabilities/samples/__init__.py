"""Samples: the page and its commands."""
