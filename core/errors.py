"""One family of errors. Each message says in one line what is wrong and what to do about it."""

from __future__ import annotations


class HcatError(Exception):
    """An error that the user can correct. Commands print it and exit with 2; pages show it in place."""


class FileFormatError(HcatError):
    """A file does not have the form that it should have."""


class LimitError(HcatError):
    """A file or a cell is larger than hcat accepts."""


class UnknownMetricError(HcatError):
    """A metric name that the registry does not hold."""


class ModelError(HcatError):
    """A model is missing, broken, or not the one expected."""


class NotOpenedError(ModelError):
    """A model that has not been opened, and is not to be opened now."""


class NotEnoughLabelsError(HcatError):
    """More labels are needed before a map can be fitted. `needed` says how many at least."""

    def __init__(self, message: str, *, needed: int) -> None:
        super().__init__(message)
        self.needed = needed


class NoMaximumError(HcatError):
    """No single finite map has the greatest likelihood: another method is needed."""


class NotFoundError(HcatError):
    """A project, run, sample or job that the workspace does not hold."""


class NotAllowedError(HcatError):
    """Something that the role of whoever asks does not allow."""


class ConflictError(HcatError):
    """A name that is taken, or a change that somebody else made first."""


class StorageError(HcatError):
    """The workspace's database or files can't be read or written."""


class MissingExtraError(HcatError):
    """An optional dependency is needed that is not installed."""
