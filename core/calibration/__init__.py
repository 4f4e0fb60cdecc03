"""Labels → probability → prediction sets, with what shows whether they can be trusted."""
