"""One file a tool: its columns, and how a row becomes a sample."""
