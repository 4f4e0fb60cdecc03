"""Sentences about judges: their cost, their agreement with people, and their biases."""
