"""Chapters."""
