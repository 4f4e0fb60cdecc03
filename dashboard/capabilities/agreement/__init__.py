"""Panels of the Agreement page."""
