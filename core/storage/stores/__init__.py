"""One store a kind of record: reads and writes of the database."""
