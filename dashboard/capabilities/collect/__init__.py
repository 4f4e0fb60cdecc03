"""Panels of the Collect page."""
