"""Toxicity and tone on the page Safety: flagged sentences at their place, and known misses of the classifier."""
