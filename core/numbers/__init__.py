"""Numbers in texts: parsing.py reads them with their units and precision, matching.py finds one among others."""
