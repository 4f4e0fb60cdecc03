"""Sign-off of reports in two steps."""
