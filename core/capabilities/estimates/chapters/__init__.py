"""Chapters of the report on estimates."""
