"""What each figure shows, and how it is drawn."""
