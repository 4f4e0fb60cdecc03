"""What a change of the question does to the answer: variants against their origins, paired. Arrays in, values out."""
