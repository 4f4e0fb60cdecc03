"""Panels of the Retrieval page."""
