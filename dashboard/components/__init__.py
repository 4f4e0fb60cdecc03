"""Pieces of screens that several pages share."""
