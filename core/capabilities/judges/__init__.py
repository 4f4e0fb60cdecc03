"""Language models that judge answers by a written rubric: requests, strict reading of replies, comparison with
people."""
