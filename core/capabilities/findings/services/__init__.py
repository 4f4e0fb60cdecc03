"""Services of findings in a project."""
