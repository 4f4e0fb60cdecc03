"""Claims: what they are, how a text is split into them, and what a verdict on one says. Nouns only."""
