"""One thin file a screen, which the dashboard opens by its path."""

if __name__ != "hcat.pages":  # in a checkout, whose folder may be on the path
    raise ImportError(f"{__name__} is imported as hcat.pages")
