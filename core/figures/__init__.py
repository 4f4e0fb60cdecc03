"""What each figure shows, as plain values: pages and reports draw the same object, each with its own library."""
