"""Attacks on a system through its own corpus, each paired with a benign control that differs only in the attack."""
