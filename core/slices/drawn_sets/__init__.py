"""Sets of values drawn at random in place of permutations, where there are many values."""
