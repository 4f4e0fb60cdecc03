"""Commands of weaknesses."""
