"""`hcat policy …`."""
