"""Groups of people in an opened run compared: over the same questions, or matched; and on which outcomes."""
