"""Ratio tables: hcat's scoring against plain encoding, against a naive loop, and against its own cache."""
