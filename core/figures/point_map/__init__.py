"""A map of any number of points: counts and means by tiles, single points if few are in view, exact selections."""
