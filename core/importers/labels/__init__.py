"""Label files, and the words that stand for levels."""
