"""What `hcat import` does with a run file."""
