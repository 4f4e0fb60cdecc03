"""Where files of the store lie: below a path, in a bucket, or wherever fsspec reaches."""
