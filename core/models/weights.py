"""Folders of models: where the one of a name lies, and the SHA-256 of its weights. Nothing is ever downloaded."""

from __future__ import annotations

from pathlib import Path

from core.errors import ModelError
from core.records.hashing import sha256_of_files


def model_folder(name: str, *, kind: str, otherwise: str) -> Path:
    """The folder called `name`, or that of a Hub name which the local cache holds.

    ModelError where there is neither: it names the `kind` of model and says what to do `otherwise`.
    """
    if Path(name).is_dir():
        return Path(name)
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HFValidationError, LocalEntryNotFoundError

    try:
        return Path(snapshot_download(name, local_files_only=True))
    except (LocalEntryNotFoundError, HFValidationError) as error:
        raise ModelError(
            f"No {kind} {name!r}: it is neither a folder nor in the local Hub cache, and hcat downloads nothing. "
            f"Fetch it with `hf download {name}`, or {otherwise}."
        ) from error


def weights_digest(folder: Path, *, needed: str) -> str:
    """SHA-256 of the .safetensors files of a folder or, where it has none, of its sub-folders, in the order of names.

    ModelError where there is none, with what is `needed`.
    """
    files = sorted(folder.glob("*.safetensors")) or sorted(folder.glob("*/*.safetensors"))
    if not files:
        raise ModelError(f"{folder} holds no .safetensors weights: {needed}.")
    return sha256_of_files(files)
