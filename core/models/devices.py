"""The devices on which models compute, and how they affect results."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from hcat.core.errors import ModelError
from hcat.core.records.hashing import sha256_of_text

if TYPE_CHECKING:
    from torch import Tensor

CPU, CUDA = "cpu", "cuda"
KINDS = (CPU, CUDA, "mps")
"""Kinds of devices that models use. A device is one of a kind, such as "cuda:1"."""


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


def kind_of(device: str) -> str:
    """The part before the number of a device: "cuda" of "cuda:1"."""
    return device.partition(":")[0]


def name_on(device: str, name: str) -> str:
    """The name in score tables of a model that computes on the device, in single precision."""
    return name if kind_of(device) == CPU else f"{name}, single precision on {kind_of(device)}"


def revision_on(device: str, weights: str) -> str:
    """The revision of these weights computed on the device, in single precision: their own hash on a CPU.

    The last digits differ between kinds of devices, so that results of one are not stored with those of another."""
    return weights if kind_of(device) == CPU else sha256_of_text(f"{weights} float32 {kind_of(device)}")


def has_weights(revision: str, weights: str) -> bool:
    """Whether this is the revision of these weights on a device of any kind."""
    return any(revision == revision_on(kind, weights) for kind in KINDS)


def inference(device: str) -> AbstractContextManager[object]:
    """A context without gradients, and with kernels whose rows don't depend on their position in a batch.

    Of the attention kernels that torch chooses from on a graphics card, some give a row other last digits in another
    position, in half precision (seen with torch 2.11 on an H200; those that are allowed here did not)."""
    import torch

    within = ExitStack()
    within.enter_context(torch.inference_mode())
    if kind_of(device) == CUDA:
        from torch.nn.attention import SDPBackend, sdpa_kernel

        within.enter_context(sdpa_kernel([SDPBackend.EFFICIENT_ATTENTION, SDPBackend.MATH]))
    return within


def fetched(tensor: Tensor) -> Callable[[], NDArray[Any]]:
    """Begin to copy a tensor into this machine's memory. The returned function waits for it, and for nothing begun
    later."""
    import torch

    if not tensor.is_cuda:
        return tensor.cpu().numpy
    copy, done = tensor.to(CPU, non_blocking=True), torch.cuda.Event()  # type: ignore[no-untyped-call]
    done.record()

    def wait() -> NDArray[Any]:
        done.synchronize()
        return copy.numpy()

    return wait
