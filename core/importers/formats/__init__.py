"""One file per tool: its columns, and how a row becomes a sample."""
