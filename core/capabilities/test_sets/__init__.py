"""Test sets."""
