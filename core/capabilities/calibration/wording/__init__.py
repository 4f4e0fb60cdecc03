"""The verdict "fit for use" in words: how well passes are separated from fails, each condition, and the rule."""
