"""Sentences about safety."""
