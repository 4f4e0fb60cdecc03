"""Panels of the Estimates page."""
