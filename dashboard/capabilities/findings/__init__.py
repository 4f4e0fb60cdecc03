"""Findings: the page and its commands."""
