"""Commands of grammar."""
