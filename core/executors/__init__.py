"""Executors of long work in parts: this process, or the workers of a Ray cluster, with the same bytes as result."""
