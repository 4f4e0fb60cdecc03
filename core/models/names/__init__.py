"""A head over the packaged encoder that finds people, places, organisations, addresses, posts and ages in a text."""
