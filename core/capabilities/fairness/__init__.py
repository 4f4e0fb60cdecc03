"""Differences between groups of people: paired over the same question, or matched; with equivalence tests."""
