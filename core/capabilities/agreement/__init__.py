"""Agreement between people, beyond chance."""
