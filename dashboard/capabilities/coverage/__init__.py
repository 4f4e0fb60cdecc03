"""The Coverage page."""
