"""Counterfactual variants: the same question by, or about, people of different groups. The right answer stays."""
