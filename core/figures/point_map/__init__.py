"""A map of any number of points: counts and means by tiles, single points where few are in view, exact selections."""
