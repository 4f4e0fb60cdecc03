"""Texts on the rows that are deleted with a project, run, criterion, queue or corpus, and on those that prevent it."""

from __future__ import annotations

from collections.abc import Mapping

from hcat.core.display.numbers import counted
from hcat.core.records.housekeeping import Contents, HousekeepingEntry, Item

SINGULAR = {
    "entries of the label log": "entry of the label log",
    "criteria": "criterion",
    "corpora": "corpus",
    "topics": "set of topics",
    "decisions on disagreements": "decision on disagreements",
}
PLURAL = {"topics": "sets of topics"}
CACHES = (
    "Caches of embeddings, of verdicts and of answers of a language model are shared between runs by content and stay; "
    "so do backups and files that were exported."
)
DONE = {"rename": "renamed", "archive": "archived", "restore": "restored", "delete": "deleted"}


def counts_text(counts: Mapping[str, int]) -> str:
    """Such as "40 samples, 2 score tables and 1 queue"; "nothing else" of none."""
    parts = [_count_text(name, n) for name, n in counts.items()]
    if not parts:
        return "nothing else"
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _count_text(name: str, n: int) -> str:
    if n == 1:
        return f"1 {SINGULAR.get(name, name.removesuffix('s'))}"
    return f"{n:,} {PLURAL.get(name, name)}"


def item_title(item: Item) -> str:
    """Such as "run v1"."""
    return f"{item.kind} {item.name}" + (f" of {item.of}" if item.of else "")


def goes_text(item: Item, contents: Contents) -> str:
    """Statement of the rows that are deleted with the item."""
    return f"Deleting {item_title(item)} also deletes {counts_text(contents.gone)}. It can't be undone."


def keeps_text(item: Item, contents: Contents) -> str:
    """The reason why the item can't be deleted or renamed; empty where it can."""
    if contents.active_jobs:
        return f"{item_title(item)} is being worked on by {counted(contents.active_jobs, 'job')}: cancel that first"
    if not contents.keepers:
        return ""
    return (
        f"{counts_text(contents.keepers)} {'rest' if sum(contents.keepers.values()) > 1 else 'rests'} on "
        f"{item_title(item)}, which is kept as it is: archive it, so that it leaves pickers and reports"
    )


def entry_text(entry: HousekeepingEntry) -> str:
    """A line of the log."""
    what = f"{DONE[entry.action]} {entry.kind} “{entry.name}”"
    renamed = f" as “{entry.new_name}”" if entry.new_name is not None else ""
    gone = f", with {counts_text(entry.contents)}" if entry.action == "delete" else ""
    reason = f": {entry.reason}" if entry.reason else ""
    return f"{entry.actor} {what}{renamed}{gone}{reason}"
