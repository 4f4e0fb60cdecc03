"""Chapters of the report on safety."""
