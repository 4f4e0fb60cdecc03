"""Estimates: the page and its commands."""
