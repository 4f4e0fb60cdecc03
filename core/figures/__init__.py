"""The content of each figure as plain values: pages and reports draw the same object, each with its own library."""
