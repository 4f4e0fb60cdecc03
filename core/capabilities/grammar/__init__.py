"""GRAMMAR: texts with the same meaning form a semantic group, and a robust system answers them alike."""
