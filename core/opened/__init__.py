"""A run opened once, from a project or from files: all that a capability takes."""
