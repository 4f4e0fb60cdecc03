"""Trials: the page and its commands."""
