"""The verdict "fit for use" in words: how well passes are told from fails, each condition, and the rule."""
