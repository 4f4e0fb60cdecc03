"""Sentences about policies."""
