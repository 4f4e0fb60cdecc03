"""hcat: the workbench in which model validators test retrieval-augmented generation systems."""

from hcat.core import __version__

__all__ = ["__version__"]
