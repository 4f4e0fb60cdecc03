"""Runs: the page and its commands."""
