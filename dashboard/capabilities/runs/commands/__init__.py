"""Commands on runs: import, housekeeping and lists."""
