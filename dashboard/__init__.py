"""The screens and commands over hcat's core."""

if __name__ != "hcat.dashboard":  # in a checkout, whose folder may be on the path
    raise ImportError(f"{__name__} is imported as hcat.dashboard")
