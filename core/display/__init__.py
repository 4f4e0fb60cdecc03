"""How values are shown to people: numbers, colours, names of sources."""
