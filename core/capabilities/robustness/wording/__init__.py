"""Sentences about robustness."""
