"""A packaged head on the packaged encoder, opened together."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from hcat.core.errors import ModelError
from hcat.core.models.encoder.encoder import PACKAGED_WEIGHTS, packaged_encoder
from hcat.core.models.weights import quiet_loading

if TYPE_CHECKING:
    from torch import nn
    from transformers import BertModel, PreTrainedTokenizerBase

Head = TypeVar("Head", bound="nn.Module")


@quiet_loading()
def open_head(
    weights: Path, head_of: Callable[[int], Head], *, file_format: str, title: str, device: str = "cpu"
) -> tuple[BertModel, Head, PreTrainedTokenizerBase]:
    """Encoder, head and tokenizer, ready to read.

    `head_of` makes an untrained head for states of a size. ModelError, naming the weights by `title`, if the file can't
    be read, lacks a part, or was trained on another encoder."""
    import torch
    from safetensors import SafetensorError, safe_open
    from transformers import AutoModel, AutoTokenizer

    try:
        with safe_open(str(weights), framework="pt") as file:
            about = dict(file.metadata() or {})
            tensors = {name: file.get_tensor(name).float() for name in file.keys()}  # noqa: SIM118 - not a dict
    except (SafetensorError, OSError) as error:
        raise ModelError(f"The packaged {title} at {weights} can't be read: install hcat again.") from error
    if about.get("format") != file_format or about.get("encoder") != PACKAGED_WEIGHTS:
        raise ModelError(f"The packaged {title} belong to another encoder: install hcat again.")
    folder = str(packaged_encoder())
    encoder = AutoModel.from_pretrained(folder, local_files_only=True, attn_implementation="sdpa", dtype=torch.float32)
    head = head_of(encoder.config.hidden_size)
    try:
        head.load_state_dict(tensors)
    except RuntimeError as error:
        raise ModelError(f"The packaged {title} at {weights} are not whole: install hcat again.") from error
    tokenizer = AutoTokenizer.from_pretrained(folder, local_files_only=True)
    return encoder.to(device).eval(), head.to(device).eval(), tokenizer
