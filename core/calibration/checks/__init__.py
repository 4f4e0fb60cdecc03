"""Checks of a calibration on held-out labels."""
