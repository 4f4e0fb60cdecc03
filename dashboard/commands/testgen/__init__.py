"""Commands that make test sets, ask systems, and read what groups of tests tell."""
