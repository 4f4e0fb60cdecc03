"""Panels of the Calibration page."""
