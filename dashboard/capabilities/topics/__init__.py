"""Panels of the Topics page."""
