"""Everything that pages read, and all caches. Keys are content hashes; what is cached is never changed.

Labels, jobs and the lists of projects and runs are read from the database each time: they are small, and others
may have changed them.
"""
