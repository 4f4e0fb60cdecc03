"""Services of policy in a project."""
