"""The working parts of pages: what stands between a title and a chart."""
