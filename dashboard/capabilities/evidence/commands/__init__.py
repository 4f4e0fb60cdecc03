"""Commands that sign evidence and check it."""
