"""Panels of the GRAMMAR page."""
