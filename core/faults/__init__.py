"""Handles uncaught errors: one line for people, and a log if it is a defect of hcat."""
