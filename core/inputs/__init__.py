"""The inputs of a command or a program, which are files or the run of a project, and the opening of them."""
