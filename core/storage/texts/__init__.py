"""Texts of samples, sealed: each sample and each passage under a key of its own, which the database holds."""
