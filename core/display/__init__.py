"""How values read wherever people see them: numbers, colours, names of sources."""
