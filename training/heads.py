"""Saving a head that was trained on the packaged encoder, and telling how training goes."""

from __future__ import annotations

import sys
from pathlib import Path

from safetensors.torch import save_file
from torch import nn

from hcat.core.models.encoder.encoder import PACKAGED_WEIGHTS


def write_head(file: Path, head: nn.Module, *, file_format: str, seed: int) -> None:
    """The head's weights in 16 bits, with the encoder that they belong to, for `hcat.core.models.encoder.heads`."""
    packed = {name: value.detach().half().contiguous() for name, value in head.state_dict().items()}
    file.parent.mkdir(parents=True, exist_ok=True)
    save_file(packed, str(file), metadata={"format": file_format, "encoder": PACKAGED_WEIGHTS, "seed": str(seed)})
    say(f"{file}: {file.stat().st_size} bytes")


def say(line: str) -> None:
    """A line at once, whatever reads it."""
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
