"""Commands of robustness."""
