"""Access to the server: host names, login, headers of each answer, and limits on uploads."""
