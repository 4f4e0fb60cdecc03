"""Generation of test sets, and the evaluation of answers to related test cases."""
