"""Corpus: the page and its commands."""
