"""The judges of a project: rubrics, verdicts, checks for bias."""
