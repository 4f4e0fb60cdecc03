"""Risks."""
