"""What the words and symbols of screens and reports mean, with the source of each: one dictionary for all of them."""
