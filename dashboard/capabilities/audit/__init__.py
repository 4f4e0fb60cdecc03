"""Audit log: the page and its commands."""
