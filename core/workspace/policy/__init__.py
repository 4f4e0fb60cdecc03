"""Services of acting: policies."""
