"""Results of estimates as people see them."""
