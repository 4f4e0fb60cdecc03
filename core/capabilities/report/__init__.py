"""The validation report: one tree of plain values, and one renderer per format."""
