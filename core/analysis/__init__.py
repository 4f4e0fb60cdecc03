"""A run opened once, from a project or from files, and what is asked of it: one function for both."""
