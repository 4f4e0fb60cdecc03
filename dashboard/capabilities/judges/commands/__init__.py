"""`hcat judge`: a language model judges a run by a rubric; the checks of judges."""
