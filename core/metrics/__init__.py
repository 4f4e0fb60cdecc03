"""Metrics: named functions of a sample, each declared in the registry. One file per family."""
