"""Plain values as files: records of a run, Parquet, content hashes."""
