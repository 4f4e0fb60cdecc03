"""The kernel of a project: its store, roles, runs, labels, queues, scores and jobs."""
