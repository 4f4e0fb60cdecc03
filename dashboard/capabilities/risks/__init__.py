"""The page Risks."""
