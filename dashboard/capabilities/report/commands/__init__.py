"""Commands around the validation report."""
