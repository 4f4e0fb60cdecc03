"""Language models that judge answers by a written rubric: asked, read strictly, and held against people."""
