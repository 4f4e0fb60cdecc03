"""Fairness: the page and its commands."""
