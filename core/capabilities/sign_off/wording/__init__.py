"""Sentences about what people sign."""
