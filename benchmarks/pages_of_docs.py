"""`make docs`: the pages of `docs/` that are made from the program and its history, not written by hand.

`docs/reference/` has the commands, metrics, methods, settings and the report's schema; `docs/decisions/README.md` lists
the decisions. `tests/test_readme.py` fails where one of them is not what this makes.
"""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import typer.main

from hcat.core.capabilities.metrics.heads import Method, kinds, methods
from hcat.core.capabilities.metrics.view import methods_view
from hcat.core.metrics.registry import METRICS
from hcat.core.settings import ROOT, Settings
from hcat.core.view.schema import SCHEMA_VERSION, report_schema
from hcat.core.view.tree import Bullets, Heading
from hcat.core.view.values import text_of
from hcat.dashboard.cli import app

DOCS = ROOT / "docs"
DECISIONS = DOCS / "decisions" / "README.md"
_ROW = re.compile(r"^\| \[(\d{4})\]\(\S+\) \| .* \| (.*) \| (\d{4}-\d{2}-\d{2}|) \|$", re.MULTILINE)


def decisions_page() -> str:
    """Number, title, status and date of each decision. Status and date are those that the page has; a decision that
    is not yet on it is in force, with the date at which it was committed."""
    known = {number: (status, date) for number, status, date in _ROW.findall(_text(DECISIONS))}
    rows = []
    for path in sorted(DECISIONS.parent.glob("[0-9]*.md")):
        number = path.name[:4]
        heading = path.read_text("utf-8").partition("\n")[0].removeprefix("# ")
        title = re.sub(r"^\d+[.:]? ", "", heading)
        status, date = known.get(number, ("in force", ""))
        rows.append(f"| [{number}]({path.name}) | {title} | {status} | {date or _added(path)} |")
    return "\n".join([_DECISIONS, *rows]) + "\n"


_DECISIONS = """# Decisions

Choices that cost something to reverse, one page each, with what was tried and measured. The list is written by
`make docs`; a status is changed here by hand, to `replaced by NUMBER`, where a later decision takes the place of one.

| number | decision | status | date |
|---|---|---|---|"""


def _text(path: Path) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


def _added(path: Path) -> str:
    """The day on which a file was committed first; "" where that is not known."""
    command = ["git", "log", "--diff-filter=A", "--follow", "--format=%as", "--", str(path)]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return (done.stdout.split() or [""])[-1]


def metrics_page() -> str:
    """Each metric of the registry."""
    rows = [f"| `{m.name}` | {', '.join(m.needs)} | {m.direction} | {m.description} |" for m in METRICS]
    about = "Formulas and sources: `hcat metrics`, and the page Metrics. What to know before relying on one: below."
    return _page("Metrics", about, "| metric | needs | better | says |\n|---|---|---|---|", [*rows, *_heads(kinds())])


def methods_page() -> str:
    """What to know of each method before relying on its results."""
    about = "Formulas, assumptions and simulations: [methods](../methods/README.md)."
    return _page("Methods in short", about, "", _heads(methods())[1:])


def _heads(described: Iterable[Method]) -> list[str]:
    """The view of the methods as Markdown."""
    rows: list[str] = []
    for block in methods_view(described).blocks:
        if isinstance(block, Heading):
            rows += ["", f"## {block.text}", ""]
        elif isinstance(block, Bullets):
            rows += [f"- {_plain(text_of(item))}" for item in block.items]
    return rows


def commands_page() -> str:
    """Each command with its arguments and options."""
    parts = []
    for words, command in commands(typer.main.get_command(app), ("hcat",)):
        parts += [f"## {' '.join(words)}", "", *_plain(command.help or "").splitlines(), ""]
        if shown := [parameter for parameter in command.params if not getattr(parameter, "hidden", False)]:
            parts += ["| argument or option | says |", "|---|---|", *map(_parameter, shown), ""]
    return _page("Commands", "Each takes `--help`.", "", parts).rstrip("\n") + "\n"


def commands(command: Any, words: tuple[str, ...]) -> Iterator[tuple[tuple[str, ...], Any]]:
    """Each command below a group, with the words that name it."""
    if hasattr(command, "commands"):
        for name, inner in command.commands.items():
            yield from commands(inner, (*words, name))
    else:
        yield words, command


def _parameter(parameter: Any) -> str:
    if parameter.param_type_name == "argument":
        name = f"`{parameter.metavar or parameter.name.upper()}`"
    else:
        name = ", ".join(f"`{option}`" for option in (*parameter.opts, *parameter.secondary_opts))
    needed = " Required." if parameter.required else ""
    given = parameter.default
    default = f" Default: `{given}`." if isinstance(given, str | int | float) and given not in ("", False) else ""
    return f"| {name} | {_plain(parameter.help or '')}{needed}{default if not needed else ''} |"


def _plain(text: str) -> str:
    return text.replace("|", "&#124;").replace("<", "&lt;")


def settings_page() -> str:
    """Each setting with its default."""
    rows = []
    for name, field in Settings.model_fields.items():
        given = DEFAULTS.get(name, "–" if field.default is None else f"`{field.default}`")
        rows.append(f"| `HCAT_{name.upper()}` | {given} | {SETTINGS[name]} |")
    about = "Where they are read from: [configure](../how-to/configure.md). `HCAT_ENV_FILE` names the file with them."
    return _page("Settings", about, "| setting | default | says |\n|---|---|---|", rows)


def schema_page() -> str:
    """The objects of a report as JSON."""
    schema: Any = report_schema()
    rows = [
        f"| `Report` | {_keys(schema)} |",
        *(f"| `{name}` | {_keys(each)} |" for name, each in schema["$defs"].items()),
    ]
    about = (
        f"A report as JSON (`hcat report -o report.json`) is by version {SCHEMA_VERSION} of "
        f"[this JSON Schema](../report-schema-{SCHEMA_VERSION}.json), which `hcat report --schema-out` writes\n"
        "too. Each object says by `type` what it is. Keys in italics may be absent."
    )
    return _page("Schema of a report", about, "| object | keys |\n|---|---|", rows)


def _keys(kind: Any) -> str:
    needed = set(kind.get("required", ()))
    return ", ".join(f"`{key}`" if key in needed else f"*{key}*" for key in kind["properties"] if key != "type")


def _page(title: str, about: str, head: str, rows: list[str]) -> str:
    written = "<!-- written by `make docs` from the program -->"
    return "\n".join([f"# {title}", "", written, "", about, "", *([head] if head else []), *rows]) + "\n"


DEFAULTS = {
    "database_url": "SQLite in `data/workspace/` of a checkout, else in `~/.local/share/hcat/`",
    "artifacts": "beside the file of the database; for a database on a server, in the same workspace",
}
SETTINGS = {
    "database_url": "The database.",
    "artifacts": "Where files of the store lie: a folder, or an address such as `s3://bucket/folder`.",
    "embedder": "Sentence encoder: `default`, a local path, or a Hub name already on this machine.",
    "nli": "Entailment model: `default`, a local path, or a Hub name already on this machine.",
    "toxicity": "Classifier of toxic texts: `default`, a local path, or a Hub name already on this machine.",
    "llm_base_url": "OpenAI-compatible endpoint of a language model. Texts of samples go there and nowhere else.",
    "llm_api_key": "Its key; never stored or shown.",
    "llm_model": "The model's name there.",
    "llm_timeout": "Seconds for each call, however slowly an answer comes.",
    "llm_max_tokens": "Tokens of an answer, at most.",
    "llm_parallel": "Calls at a time.",
    "llm_price_in": "Money for a million tokens read.",
    "llm_price_out": "Money for a million tokens written.",
    "device": "Where models run: `cpu`, or a graphics card such as `cuda`.",
    "engine": "Who does long work: `local`, or `ray` for several processors or machines.",
    "ray_address": "Address of a Ray cluster; without it, Ray on this machine.",
    "ray_workers": "Ray's workers, at most.",
    "seed": "Seed of all that is random.",
    "signing_key": "File of the key that signs evidence packs; without it, one of this installation.",
    "grammar_database_url": "Database that semantic groups are made from; read, never written.",
    "allow_private_targets": "Whether answers may be collected from this machine or a private network.",
    "allow_python_targets": "Whether the page Collect may call a Python function; `hcat collect` needs no leave.",
    "login_issuer": "OpenID provider: [team](../team.md).",
    "login_client_id": "hcat's account at the provider.",
    "login_client_secret": "Its secret; never stored or shown.",
    "login_name_claim": "The claim whose value signs labels, decisions and reports.",
    "login_idle_minutes": "A session ends after that time without any action.",
    "login_hours": "A session ends at that age.",
    "public_url": "What people open, such as `https://NAME`.",
    "max_file_mb": "The largest file that is read, in MB.",
    "max_rows": "Rows of a file, at most.",
    "max_cell_characters": "Characters of a cell, at most.",
}
"""What each setting does; `settings_page` fails for one that is missing here."""


def pages() -> Mapping[Path, str]:
    """Each generated page, and what it should hold."""
    reference = DOCS / "reference"
    return {
        DECISIONS: decisions_page(),
        reference / "commands.md": commands_page(),
        reference / "methods.md": methods_page(),
        reference / "metrics.md": metrics_page(),
        reference / "settings.md": settings_page(),
        reference / "report-schema.md": schema_page(),
    }


def main() -> None:
    """Write the pages."""
    for path, text in pages().items():
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
        print(path.relative_to(ROOT))


if __name__ == "__main__":
    main()
