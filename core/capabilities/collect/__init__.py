"""The systems under validation: how they are asked, and how their answers become a run."""
