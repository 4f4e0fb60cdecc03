"""The cells of a run: how many samples and labels each holds, exact sums of their values, and where these are kept."""
