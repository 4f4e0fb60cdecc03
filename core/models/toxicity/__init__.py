"""How toxic and how unprofessional a text is: the packaged head on the packaged encoder, or any classifier."""
