"""Panels of the Samples page."""
