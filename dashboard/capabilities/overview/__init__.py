"""Panels of the Overview page."""
