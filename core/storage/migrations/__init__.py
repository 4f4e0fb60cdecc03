"""Steps of the database schema, applied when a workspace is opened."""
