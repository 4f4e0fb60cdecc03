"""Privacy on the page Safety: leaks, who holds what, copied words, and a filter with its cost."""
