"""How far people agree with one another, beyond chance."""
