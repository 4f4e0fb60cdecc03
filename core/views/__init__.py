"""One function for each result that people see: it returns the view that every renderer shows."""
