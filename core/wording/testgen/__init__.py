"""Sentences about corpora, test sets and how they were made."""
