"""Sentences about documents that people sign."""
