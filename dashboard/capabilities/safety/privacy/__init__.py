"""Privacy on the page Safety: leaks, holders of the data, copied words, and a filter with its cost."""
