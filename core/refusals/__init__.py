"""Whether a text answers or declines, by rule."""
