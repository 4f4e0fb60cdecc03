"""Panels of the Trials page."""
