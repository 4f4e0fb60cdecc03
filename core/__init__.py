"""hcat's scoring core: metrics, calibration, weaknesses. It knows nothing of the dashboard."""

__version__ = "0.1.0"
