"""The exceptions of hcat. Each message says in one line what is wrong and what to do about it."""

from __future__ import annotations


class HcatError(Exception):
    """An error that the user can correct. Commands print it and exit with 2; pages show it in place."""


class FileFormatError(HcatError):
    """A file does not have the expected form."""


class LimitError(HcatError):
    """A file or a cell is larger than hcat accepts."""


class UnknownMetricError(HcatError):
    """A metric name that is not in the registry."""


class ModelError(HcatError):
    """A model is missing, broken, or not the one expected."""


class NotOpenedError(ModelError):
    """A model that has not been loaded and must not be loaded now."""


class NotEnoughLabelsError(HcatError):
    """More labels are needed before a map can be fitted. `needed` is the least number."""

    def __init__(self, message: str, *, needed: int) -> None:
        super().__init__(message)
        self.needed = needed


class NoMaximumError(HcatError):
    """No single finite map has the greatest likelihood: another method is needed."""


class NotFoundError(HcatError):
    """A project, run, sample or job that is not in the workspace."""


class NotAllowedError(HcatError):
    """An action that the user's role does not allow."""


class ConflictError(HcatError):
    """A name that is already in use, or a change that somebody else made first."""


class StorageError(HcatError):
    """The workspace's database or files can't be read or written."""


class MissingExtraError(HcatError):
    """An optional dependency is needed but not installed."""
