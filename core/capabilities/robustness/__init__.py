"""The effect of a change of the question on the answer: variants and their origins, paired. Arrays in, values out."""
