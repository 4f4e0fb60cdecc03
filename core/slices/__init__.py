"""Where a system is weak: slices of samples held against the rest, singly and in pairs."""
