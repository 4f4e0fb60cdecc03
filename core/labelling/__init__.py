"""Which samples people label, in which order, and with which probability each was drawn."""
