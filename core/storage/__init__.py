"""The workspace's memory: what people decide in a database, what machines compute in files named by content hash."""
