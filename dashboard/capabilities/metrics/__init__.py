"""Metrics: the page and its commands."""
