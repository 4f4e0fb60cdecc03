"""What becomes of errors that nobody caught: one line for people, and a log where it is a defect of hcat."""
