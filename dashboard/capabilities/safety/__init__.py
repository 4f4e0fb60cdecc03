"""Toxicity and tone on the page Safety: what is flagged, at its place, and what the classifier is known to miss."""
