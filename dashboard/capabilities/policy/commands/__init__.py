"""Commands of policy."""
