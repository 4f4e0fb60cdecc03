"""Variants that a language model writes, kept only where rules and the selection of test cases find nothing wrong."""
