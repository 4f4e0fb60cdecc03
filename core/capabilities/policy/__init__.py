"""From prediction sets to decisions: what is accepted, what goes to people, and which error may get through."""
