"""What metrics read of a block of samples, one file a step."""
