"""Inputs of a policy's rules, answers asked for again, and evidence for a report."""
