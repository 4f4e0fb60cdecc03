"""Maps on pages: the data of them that the browser requests in addition to the page."""
