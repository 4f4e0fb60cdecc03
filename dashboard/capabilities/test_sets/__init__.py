"""Panels of the Test sets page."""
