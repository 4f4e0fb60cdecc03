"""Scores and explanations of a run by way of shards of its samples."""
