"""The Robustness page: variants beside their origins."""
