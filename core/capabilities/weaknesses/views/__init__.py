"""Results of weaknesses as people see them."""
