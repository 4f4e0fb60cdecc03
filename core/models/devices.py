"""Where models compute."""

from __future__ import annotations

from core.errors import ModelError


def usable(device: str) -> str:
    """The device, if torch can compute on it here. Raises ModelError."""
    import torch

    try:
        torch.ones(1, device=device).item()  # `meta` makes tensors too, but has no values
    except (RuntimeError, AssertionError, ImportError) as error:  # torch without CUDA says so by an assertion
        raise ModelError(
            f"No device {device!r} here: set HCAT_DEVICE or --device to cpu, or to a device that this machine has."
        ) from error
    return device
