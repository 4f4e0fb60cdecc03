"""Who scores the shards of a run: this process, or the workers of a Ray cluster."""
