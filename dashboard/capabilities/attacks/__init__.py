"""Attacks: the page and its commands."""
