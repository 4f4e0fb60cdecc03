"""Retrieval: the page and its commands."""
