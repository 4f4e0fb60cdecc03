"""Estimates for a population, with their intervals."""
