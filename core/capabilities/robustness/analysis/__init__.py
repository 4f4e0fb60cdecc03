"""Results of robustness from opened runs."""
