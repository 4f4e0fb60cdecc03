"""Display of values: numbers, colours, names of sources."""
