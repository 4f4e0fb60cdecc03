"""Do the models of the settings load, and which revisions are they?"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlsplit

from hcat.core.errors import HcatError
from hcat.core.models.kind import AnyModelKind
from hcat.core.models.model_set import MODEL_KINDS
from hcat.core.project.installation.check import Check
from hcat.core.settings import Settings

THIS_MACHINE = ("localhost", "127.0.0.1", "::1")


def check_models(settings: Settings) -> Iterator[Check]:
    """A check for each kind of model, made when it is asked for."""
    for kind in MODEL_KINDS:
        yield _check_model(kind, settings)


def _check_model(kind: AnyModelKind, settings: Settings) -> Check:
    name = f"model: {kind.name}"
    try:
        loaded = kind.load(settings, settings.device)
    except HcatError as error:
        return Check.broken_by(name, error)
    if loaded is None:
        return Check(name, "fine", "none is set, and none is needed")
    found = f"{loaded.model.name}, revision {loaded.model.revision[:12]}"
    if kind.name == "language" and urlsplit(str(settings.llm_base_url)).hostname not in THIS_MACHINE:
        to_do = "make sure that texts may go there, or set HCAT_LLM_BASE_URL to a model of your own"
        return Check(name, "look", f"{found}, on another machine", to_do)
    return Check(name, "fine", found)
