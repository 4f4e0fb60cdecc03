"""What a report rests on, and how it is gathered."""
