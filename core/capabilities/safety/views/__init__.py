"""Results of safety as people see them."""
