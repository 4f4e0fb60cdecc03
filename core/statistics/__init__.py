"""Plain statistics: intervals, clusters, bootstrap, partitions, multiplicity. They know of no metric and no label."""
