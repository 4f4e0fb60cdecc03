"""Plain statistics: intervals, clusters, bootstrap, partitions, multiplicity. They know no metrics or labels."""
