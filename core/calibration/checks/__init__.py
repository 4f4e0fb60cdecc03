"""What held-out labels say of a calibration."""
