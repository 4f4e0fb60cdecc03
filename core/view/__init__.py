"""Views of a result: a tree of plain values, and a renderer for each place where it is shown."""
