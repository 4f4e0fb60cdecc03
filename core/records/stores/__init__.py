"""Places for files of the store: below a path, in a bucket, or anything that fsspec supports."""
