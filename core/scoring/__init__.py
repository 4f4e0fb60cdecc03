"""A run's samples to scores."""
