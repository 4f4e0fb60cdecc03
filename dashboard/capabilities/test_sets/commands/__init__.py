"""Commands of test sets."""
