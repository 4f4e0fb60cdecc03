"""Variants of questions, one file a family."""
