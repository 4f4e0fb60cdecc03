"""Files that take samples out of a project."""
