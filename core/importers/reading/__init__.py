"""Bytes into rows, and cells into values."""
