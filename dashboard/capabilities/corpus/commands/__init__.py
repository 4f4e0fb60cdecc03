"""Commands of corpus."""
