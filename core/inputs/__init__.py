"""What a command or a program is given, files or the run of a project, and how it is opened."""
