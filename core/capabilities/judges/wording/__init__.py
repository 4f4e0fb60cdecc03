"""Sentences about judges: what they cost, how far they agree with people, and which biases they show."""
