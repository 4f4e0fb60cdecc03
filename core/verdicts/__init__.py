"""Every word by which a result judges: what it claims, at which error, decided where."""
