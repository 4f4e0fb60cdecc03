"""Variants by a language model, accepted only if rules and the selection of test cases find no fault."""
