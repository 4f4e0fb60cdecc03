"""One file per section of the report."""
