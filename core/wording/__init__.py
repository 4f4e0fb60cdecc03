"""Sentences about results, for people: written here, never where the results are computed."""
