"""The Attacks page: families beside their controls, each hit, and new attacks."""
