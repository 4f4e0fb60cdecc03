"""Sections of the report as a whole."""
