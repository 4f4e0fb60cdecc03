"""How well people agree with each other, beyond chance."""
