"""A safe YAML loader that counts."""

from __future__ import annotations

import yaml

from hcat.core.errors import FileFormatError, LimitError

MOST_VALUES = 50_000


class BoundedLoader(yaml.SafeLoader):  # type: ignore[misc]  # the library states no types
    """Reads plain values, without aliases and not too many."""

    def __init__(self, stream: str) -> None:
        super().__init__(stream)
        self._values = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        """The next value. LimitError if it is an alias, or one too many."""
        if self.check_event(yaml.AliasEvent):
            raise LimitError("values by name (& and *) are not read: write each out")
        self._values += 1
        if self._values > MOST_VALUES:
            raise LimitError(f"more than {MOST_VALUES:,} values: split the file")
        return super().compose_node(parent, index)

    def compose_mapping_node(self, anchor: str | None) -> yaml.MappingNode:
        """The next mapping. FileFormatError for a duplicate key, of which one would be lost silently."""
        node = super().compose_mapping_node(anchor)
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    line = key.start_mark.line + 1
                    raise FileFormatError(f"line {line}: {key.value[:80]!r} is there twice: leave one out")
                seen.add(key.value)
        return node
