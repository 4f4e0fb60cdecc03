"""Corpus."""
