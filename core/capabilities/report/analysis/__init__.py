"""Results of report from opened runs."""
