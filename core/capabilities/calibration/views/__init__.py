"""Results of calibration as people see them."""
