"""Who does long work part by part: this process, or the workers of a Ray cluster; the same bytes either way."""
