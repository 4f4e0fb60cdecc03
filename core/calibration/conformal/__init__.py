"""Stage 2: prediction sets with a guarantee."""
