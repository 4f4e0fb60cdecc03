"""Services of labelling in a project."""
