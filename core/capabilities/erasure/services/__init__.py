"""Erasure of the texts of samples, and their retention for a period set for the project."""
