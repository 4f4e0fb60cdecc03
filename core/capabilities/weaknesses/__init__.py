"""Weaknesses."""
