"""Commands by which people sign."""
