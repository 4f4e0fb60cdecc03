"""Toxicity and unprofessional tone of a text: the packaged head on the packaged encoder, or any classifier."""
