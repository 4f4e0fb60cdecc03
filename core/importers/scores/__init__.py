"""Scores that other tools gave: which columns of a file are scores, what is known of them, and each cell as a score."""
