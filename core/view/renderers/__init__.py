"""One file per format of the report."""
