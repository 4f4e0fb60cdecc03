"""Calibration: the page and its commands."""
