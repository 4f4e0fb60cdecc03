"""Texts of samples that are to go: erasing them, and keeping them no longer than a project settled."""
