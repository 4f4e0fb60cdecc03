"""Sentences about safety: toxicity, privacy, attacks."""
