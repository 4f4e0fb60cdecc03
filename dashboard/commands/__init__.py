"""One module a group of commands; each is a thin layer over `core`."""
