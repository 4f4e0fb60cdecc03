"""Adapters of models behind small protocols. The only place where torch and similar libraries are imported."""
