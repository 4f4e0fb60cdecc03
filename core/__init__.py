"""hcat's scoring core: metrics, calibration, weaknesses. It knows nothing of the dashboard."""

if __name__ != "hcat.core":  # in a checkout, whose folder may be on the path
    raise ImportError(f"{__name__} is imported as hcat.core")

__version__ = "0.1.0"
