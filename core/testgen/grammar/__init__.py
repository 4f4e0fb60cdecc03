"""GRAMMAR: texts that mean the same stand in one semantic group, and are answered alike by a robust system."""
