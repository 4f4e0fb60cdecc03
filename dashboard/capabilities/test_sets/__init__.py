"""Test sets: the page and its commands."""
