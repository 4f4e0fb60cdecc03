"""Erasure: the commands."""
