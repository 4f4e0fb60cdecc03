"""Sentences about estimates."""
