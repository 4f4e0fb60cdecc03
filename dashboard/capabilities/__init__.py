"""One folder a capability: its page, commands, caches and charts."""
