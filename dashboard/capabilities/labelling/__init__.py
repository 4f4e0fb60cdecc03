"""Labelling: the page and its commands."""
