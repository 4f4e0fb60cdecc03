"""Panels of the Weaknesses page."""
