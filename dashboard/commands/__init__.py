"""One module per group of commands; each is a thin layer over `core`."""
