"""Adapters of models behind small protocols. The only place where torch and its kin are imported."""
