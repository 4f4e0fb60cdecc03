"""From a run's samples to scores."""
