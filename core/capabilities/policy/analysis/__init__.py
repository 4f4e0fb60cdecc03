"""What goes into a policy and comes of it: inputs of its rules, answers asked for again, evidence for a report."""
