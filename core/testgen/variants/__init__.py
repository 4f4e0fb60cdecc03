"""Variants of test cases: the same question reworded, with other passages, or about something else (HCAT 6.1)."""
