"""Records that are fixed before anybody judges by them: the basis of a report."""
