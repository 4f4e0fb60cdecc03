"""Commands of calibration."""
