"""Test sets: how they are made, and what answers to them tell beyond each answer alone."""
