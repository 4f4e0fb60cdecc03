"""Slices of samples, singly and in pairs, compared with the rest to find where a system is weak."""
