"""Panels of the Members page."""
