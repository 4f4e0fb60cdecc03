"""The audit log inside the transaction that it is about: which rows were touched, their digests, the next row."""
