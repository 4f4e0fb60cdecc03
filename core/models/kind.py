"""Kinds of models: their roles, and how the one in the settings is loaded.

A kind is declared next to its adapter, and listed in `hcat.core.models.model_set.MODEL_KINDS`."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

if TYPE_CHECKING:
    from hcat.core.settings import Settings


class NamedModel(Protocol):
    """The identity of a model in score tables."""

    @property
    def name(self) -> str: ...

    @property
    def revision(self) -> str: ...


Model = TypeVar("Model", bound=NamedModel)


@dataclass(frozen=True, slots=True)
class Role:
    """A role for which a metric may need a model. `missing` says why the metric is left out if no model fills the
    role."""

    name: str
    missing: str


@dataclass(frozen=True, slots=True)
class FurtherRole(Generic[Model]):
    """An additional role of models of a kind: `fill` returns what fills it, None if a model can't.

    With `choice`, only if a set of models names it as the choice for the role."""

    role: Role
    fill: Callable[[Model], NamedModel | None]
    choice: str | None = None


@dataclass(frozen=True, slots=True)
class FilledRole:
    """The model that fills a role, and the choice under which it does; None for any."""

    role: str
    by: NamedModel
    choice: str | None = None

    def under(self, choice: str) -> bool:
        return self.choice in (None, choice)


@dataclass(frozen=True, eq=False, slots=True)
class LoadedModel:
    """A model, the name of its kind, and the roles that it fills."""

    kind: str
    model: NamedModel
    roles: tuple[FilledRole, ...]


@dataclass(frozen=True, eq=False, slots=True)
class ModelKind(Generic[Model]):
    """Models that share a protocol, `Model`. The role of their name is filled by each model itself.

    `open_model` returns the one in the settings on a device, None if none is set; it raises ModelError if one is set
    and can't be loaded. `missing` says why a metric is left out if there is none."""

    name: str
    missing: str
    open_model: Callable[[Settings, str], Model | None]
    further: tuple[FurtherRole[Model], ...] = ()

    @property
    def roles(self) -> tuple[Role, ...]:
        """The roles that models of this kind may fill."""
        return (Role(self.name, self.missing), *(extra.role for extra in self.further))

    def fills(self, roles: Collection[str], choice: str) -> bool:
        """Whether models of this kind fill one of the roles under that choice."""
        chosen = {extra.role.name for extra in self.further if extra.choice in (None, choice)}
        return not {self.name, *chosen}.isdisjoint(roles)

    def of(self, model: Model) -> LoadedModel:
        """The model with the roles that it fills."""
        filled = [(extra.role.name, extra.fill(model), extra.choice) for extra in self.further]
        further = (FilledRole(role, by, choice) for role, by, choice in filled if by is not None)
        return LoadedModel(self.name, model, (FilledRole(self.name, model), *further))

    def load(self, settings: Settings, device: str) -> LoadedModel | None:
        """The model in the settings; None if none is set. Raises ModelError."""
        model = self.open_model(settings, device)
        return None if model is None else self.of(model)


class AnyModelKind(Protocol):
    """A kind of models with any protocol, as listed in the table of kinds."""

    @property
    def name(self) -> str: ...

    @property
    def roles(self) -> tuple[Role, ...]: ...

    def fills(self, roles: Collection[str], choice: str) -> bool: ...

    def load(self, settings: Settings, device: str) -> LoadedModel | None: ...
