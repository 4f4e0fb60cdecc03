"""A project's corpus, its test sets, and what is asked of a live system."""
