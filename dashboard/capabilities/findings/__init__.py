"""Panels of the Findings page."""
