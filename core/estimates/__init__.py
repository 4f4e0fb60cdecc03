"""Numbers that stand for a population, with their intervals."""
