"""Services of risks in a project."""
