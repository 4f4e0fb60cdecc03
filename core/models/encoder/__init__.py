"""Sentence encoders and token states."""
