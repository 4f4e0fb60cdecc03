"""Stage 1: maps from scores to the probability of a label, one file a method."""
