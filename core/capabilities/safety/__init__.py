"""Risk and safety of a run's answers: what was found in them, and what the finders are known to miss."""
