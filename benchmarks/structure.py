"""Measures of the structure, as Markdown: `python -m benchmarks.structure [CHECKOUT]`.

A room is a package directly below `core`, a loose module of it, or another root folder; all capabilities are one. An
arrow stands for the imports from one room, or from one capability, to another. Arrows back up are the fewest that a
greedy order of the rooms leaves pointing from a lower room to a higher one (Eades, Lin and Smyth 1993); a loop
is a set of modules that import each other.

Each file of the product and of its tests is in one cell of the table of capabilities and layers, by its path. Results
written by hand are those that a table on one kind of screen or paper, or a JSON document, is made of.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOTS = ("core", "dashboard", "pages")
PACKAGE = "hcat."
"""What the names of their modules begin with where they are imported."""
VAGUE = frozenset({"found", "one", "known", "part", "given", "held", "made", "kept"})
"""Local names that say nothing about their value."""
LAYERS = {
    "tests": r"^tests/",
    "catalogue": r"\.po$",
    "command": r"^dashboard/(cli\.py|commands/)|/commands?[/.]",
    "page": r"^(dashboard|pages)/",
    "report": r"^core/(view/|capabilities/report/)|/(views?|chapters?)[/.]",
    "wording": r"^core/(wording|glossary|display)/|/(wording|terms)[/.]",
    "service": r"^core/(project|storage)/|^core/project\.py|service",
    "core": r"",
}
"""The layer of a file: the first whose pattern its path has."""
CAPABILITY = re.compile(r"(?:^|/)(?:capabilities/|pages/(?:test_)?)(\w+?)(?:/|(?:_page)?\.py$)")
"""The capability that a file belongs to, in its path. All others are the ground that capabilities stand on."""
GROUND = "ground"
IN_CAPABILITIES = "core.capabilities."
BY_HAND = {
    "terminal": {"print_table"},
    "screen": {"data_table", "dataframe"},
    "report": {"Table"},
}
"""Functions each call of which is one table that somebody wrote, by where it is shown."""
FROM_FILES, FROM_PROJECT = {"file", "files"}, {"project", "stored"}
LINKING = {"of", "from", "by", "in", "on", ""}

Graph = dict[str, set[str]]


@dataclass(frozen=True, slots=True)
class Structure:
    """What is counted. `loops` are the modules of import loops; `longest_folder` holds `most_files` modules."""

    modules: int
    lines: int
    median_lines: float
    rooms: int
    arrows: int
    arrows_up: int
    capabilities: int
    between_capabilities: int
    loops: tuple[set[str], ...]
    longest_folder: str
    most_files: int
    vague_names: int
    names: int

    def rows(self) -> list[tuple[str, str]]:
        """Each measure with its value, for a table."""
        return [
            ("modules", str(self.modules)),
            ("lines", str(self.lines)),
            ("median lines a module", f"{self.median_lines:.0f}"),
            ("rooms", str(self.rooms)),
            ("arrows between rooms", str(self.arrows)),
            ("arrows back up", str(self.arrows_up)),
            (
                "arrows between capabilities",
                f"{self.between_capabilities} of {self.capabilities * (self.capabilities - 1)}",
            ),
            (
                "import loops (modules in each)",
                f"{len(self.loops)} ({', '.join(str(len(loop)) for loop in self.loops) or 'none'})",
            ),
            ("longest folder", f"{self.longest_folder}, {self.most_files} modules"),
            ("vague local names", f"{self.vague_names} of {self.names}"),
        ]


def measure(root: Path) -> Structure:
    """The structure of the checkout at `root`, read from its source without importing it."""
    modules = {_module(root, path): path for path in _sources(root)}
    imports: Graph = {}
    lines: list[int] = []
    names: list[str] = []
    for name, path in modules.items():  # one tree at a time: a search for garbage looks through all that are there
        source = path.read_text("utf-8")
        tree = ast.parse(source)
        imports[name] = _imported(tree, modules.keys()) - {name}
        lines.append(len(source.splitlines()))
        names += _local_names(tree)
    rooms: Graph = {}
    for name, targets in imports.items():
        rooms.setdefault(_room(name), set()).update(_room(target) for target in targets)
    rooms = {room: targets - {room} for room, targets in rooms.items()}
    capabilities: Graph = {}
    for name, targets in imports.items():
        if name.startswith(IN_CAPABILITIES):
            own = name.split(".")[2]
            others = {target.split(".")[2] for target in targets if target.startswith(IN_CAPABILITIES)}
            capabilities.setdefault(own, set()).update(others - {own})
    folders = Counter(path.parent.relative_to(root).as_posix() for path in modules.values() if path.stem != "__init__")
    folder, files = folders.most_common(1)[0]
    return Structure(
        modules=len(modules),
        lines=sum(lines),
        median_lines=median(lines),
        rooms=len(rooms),
        arrows=sum(map(len, rooms.values())),
        arrows_up=_arrows_up(rooms),
        capabilities=len(capabilities),
        between_capabilities=sum(map(len, capabilities.values())),
        loops=tuple(import_loops(imports)),
        longest_folder=folder,
        most_files=files,
        vague_names=sum(name in VAGUE for name in names),
        names=len(names),
    )


def import_loops(imports: Graph) -> list[set[str]]:
    """The sets of modules that import each other, by Tarjan's strongly connected components."""
    index: dict[str, int] = {}
    low: dict[str, int] = {}
    stack: list[str] = []
    loops: list[set[str]] = []

    def visit(name: str) -> None:
        index[name] = low[name] = len(index)
        stack.append(name)
        for target in sorted(imports.get(name, ())):
            if target not in index:
                visit(target)
                low[name] = min(low[name], low[target])
            elif target in stack:
                low[name] = min(low[name], index[target])
        if low[name] == index[name]:
            start = stack.index(name)
            component = set(stack[start:])
            del stack[start:]
            if len(component) > 1:
                loops.append(component)

    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(10_000)
    try:
        for name in sorted(imports):
            if name not in index:
                visit(name)
    finally:
        sys.setrecursionlimit(limit)
    return loops


def product_files(root: Path) -> dict[str, tuple[str, str]]:
    """Each file of Python or of a catalogue below `ROOTS` and the tests, with its capability and its layer."""
    paths = [*_sources(root), *(root / "core").rglob("*.po"), *(root / "tests").rglob("*.py")]
    names = sorted(path.relative_to(root).as_posix() for path in paths)
    known = {path.parent.name for path in (root / "core" / "capabilities").glob("*/__init__.py")}
    return {name: (_capability(name, known), _first(LAYERS, name)) for name in names}


def capability_rows(root: Path) -> list[list[str]]:
    """A table: lines of each capability in each layer, and the folders that it lies in, tests aside.

    A folder is one in `core`, in `dashboard` or in `pages`, with all that lies in it.
    """
    lines: Counter[tuple[str, str]] = Counter()
    folders: dict[str, set[str]] = {}
    for name, cell in product_files(root).items():
        lines[cell] += len((root / name).read_text("utf-8").splitlines())
        if cell[1] != "tests":
            depth = 3 if "/capabilities/" in name else 2
            folders.setdefault(cell[0], set()).add("/".join(name.split("/")[:-1][:depth]))
    layers = [*reversed(LAYERS)]
    total = {name: sum(lines[name, layer] for layer in layers) for name in folders}
    return [
        ["capability", "folders", *layers, "lines"],
        *(
            [name, str(len(folders[name])), *(str(lines[name, layer]) for layer in layers), str(total[name])]
            for name in sorted(folders, key=lambda name: -total[name])
        ),
        [
            "all",
            str(len(set().union(*folders.values()))),
            *(str(sum(lines[name, layer] for name in folders)) for layer in layers),
            str(lines.total()),
        ],
    ]


def by_hand_rows(root: Path) -> list[list[str]]:
    """A table: how often one result is written anew for another place, and the lines of the README."""
    calls: Counter[str] = Counter()
    documents = twin_functions = 0
    for path in _sources(root):
        nodes = [*ast.walk(ast.parse(path.read_text("utf-8")))]
        calls.update(_called(node) for node in nodes if isinstance(node, ast.Call))
        functions = [node.name for node in nodes if isinstance(node, ast.FunctionDef)]
        documents += sum(name.endswith("_document") for name in functions)
        twin_functions += twins(functions)
    return [
        ["written by hand", "number"],
        *([f"tables: {place}", str(sum(calls[name] for name in names))] for place, names in BY_HAND.items()),
        ["functions that make a document", str(documents)],
        ["functions for files that have a twin for a project", str(twin_functions)],
        ["lines of the README", str(len((root / "README.md").read_text("utf-8").splitlines()))],
    ]


def twins(functions: Collection[str]) -> int:
    """How many functions of a module for files have one for a project beside them: `_of_files` and `_of_project`."""
    words = [frozenset(name.split("_")) for name in functions]
    for_files, for_project = (
        {each - FROM_FILES - FROM_PROJECT - LINKING for each in words if each & source}
        for source in (FROM_FILES, FROM_PROJECT)
    )
    return len(for_files & for_project)


def _called(call: ast.Call) -> str:
    return getattr(call.func, "attr", getattr(call.func, "id", ""))


def _capability(name: str, known: Collection[str]) -> str:
    found = CAPABILITY.search(name)
    return found.group(1) if found and found.group(1) in known else GROUND


def _first(patterns: dict[str, str], name: str) -> str:
    return next(key for key, pattern in patterns.items() if re.search(pattern, name))


def _sources(root: Path) -> list[Path]:
    return sorted(path for folder in ROOTS for path in (root / folder).rglob("*.py"))


def _module(root: Path, path: Path) -> str:
    return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__")


def _imported(tree: ast.Module, names: Set[str]) -> set[str]:
    targets: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            targets |= {alias.name.removeprefix(PACKAGE) for alias in node.names} & names
        elif isinstance(node, ast.ImportFrom) and node.module is not None and node.level == 0:
            module = node.module.removeprefix(PACKAGE)
            for alias in node.names:
                full = f"{module}.{alias.name}"
                targets |= {full} if full in names else {module} & names
    return targets


def _room(module: str) -> str:
    """Declarations of capabilities are one room, since all of the ground may read them."""
    match module.split("."):
        case ["core", "capabilities"]:
            return "core.capability"
        case ["core", room, *_]:
            return f"core.{room}"
        case [root, *_]:
            return root
    raise ValueError(module)


def _local_names(tree: ast.Module) -> list[str]:
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.append(node.id)
        elif isinstance(node, ast.arg):
            names.append(node.arg)
    return names


def _arrows_up(rooms: Graph) -> int:
    """How many arrows run against the order that takes sinks last, sources first, else the largest surplus."""
    left = {room: set(targets) for room, targets in rooms.items()}
    top: list[str] = []
    bottom: list[str] = []
    while left:
        entering = Counter(target for targets in left.values() for target in targets)
        sinks = sorted(room for room, targets in left.items() if not targets & left.keys())
        sources = sorted(room for room in left if not entering[room])
        if sinks:
            bottom.append(sinks[0])
        elif sources:
            top.append(sources[0])
        else:
            top.append(max(sorted(left), key=lambda room: len(left[room] & left.keys()) - entering[room]))
        gone = (bottom if sinks else top)[-1]
        del left[gone]
        for targets in left.values():
            targets.discard(gone)
    place = {room: position for position, room in enumerate([*top, *reversed(bottom)])}
    return sum(place[target] < place[room] for room, targets in rooms.items() for target in targets if target in place)


def markdown(rows: Sequence[Sequence[str]]) -> str:
    """A table of Markdown whose first row is its head, with numbers on the right."""
    head, *rest = [f"| {' | '.join(row)} |" for row in rows]
    return "\n".join([head, "|---|" + "---:|" * (len(rows[0]) - 1), *rest])


def main() -> None:
    """Print the measures of a checkout, this one where none is named."""
    root = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).resolve().parents[1]
    measures = [("measure", "value"), *measure(root).rows()]
    print("\n\n".join(map(markdown, (measures, capability_rows(root), by_hand_rows(root)))))


if __name__ == "__main__":
    main()
