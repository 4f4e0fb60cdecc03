"""Capabilities."""
