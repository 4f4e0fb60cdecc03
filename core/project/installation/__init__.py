"""The installation itself: whether it is in order, and its database brought to the newest schema."""
