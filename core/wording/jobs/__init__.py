"""Wording of jobs: how far they are, and who does them."""
