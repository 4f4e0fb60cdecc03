"""Label files, and the words for levels."""
