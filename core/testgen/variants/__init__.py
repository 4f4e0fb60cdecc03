"""Variants of test cases: the same question asked otherwise, amid other passages, or of something else (HCAT 6.1)."""
