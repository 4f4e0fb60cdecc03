"""Risks: the page and its commands."""
