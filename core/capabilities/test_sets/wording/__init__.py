"""Sentences about test sets."""
