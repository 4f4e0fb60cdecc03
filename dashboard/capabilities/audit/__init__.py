"""Panels of the Audit log page."""
