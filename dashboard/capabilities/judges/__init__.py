"""Panels of the Judges page."""
