"""The Fairness page."""
