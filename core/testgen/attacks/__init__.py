"""Attacks on a system by its own corpus, each beside a benign control that holds everything but the attack."""
