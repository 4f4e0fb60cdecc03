"""Services of test sets in a project."""
