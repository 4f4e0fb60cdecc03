"""What people sign: reports in two steps."""
