"""Evidence of a report, and how it is gathered."""
