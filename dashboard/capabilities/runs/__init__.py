"""Panels of the Runs page."""
