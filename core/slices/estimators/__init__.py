"""Estimators of slices: of independent, clustered or weighted scores, and by labels. Each compares with the rest."""
