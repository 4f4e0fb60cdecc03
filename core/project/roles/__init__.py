"""The permissions of each role, and the check that whoever acts has them."""
