"""Panels of the Labelling page."""
