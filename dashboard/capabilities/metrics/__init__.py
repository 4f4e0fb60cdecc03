"""Panels of the Metrics page."""
