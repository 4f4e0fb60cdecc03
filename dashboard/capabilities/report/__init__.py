"""Panels of the Report page."""
