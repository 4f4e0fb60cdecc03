"""Evidence of a report, and its collection."""
