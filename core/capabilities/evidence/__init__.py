"""Evidence that somebody else can check: signed packs, their verification, and the numbers computed again."""
