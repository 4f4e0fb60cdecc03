"""Services of agreement in a project."""
