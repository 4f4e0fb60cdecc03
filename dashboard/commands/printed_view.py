"""A view on standard output: titles, sentences and tables. The data of a figure are in the table next to it."""

from __future__ import annotations

import typer

from hcat.core.display.control_characters import visible
from hcat.core.display.messages import say
from hcat.core.view.tree import Block, Bullets, Callout, Heading, KeyValues, Paragraph, Quotation, Samples, Table
from hcat.core.view.values import NUMERIC, cell, show, text_of
from hcat.core.view.view import View
from hcat.dashboard.commands.output import print_table


def print_view(view: View) -> None:
    """Print the blocks in their order, as plain text without commands to the terminal."""
    for block in view.blocks:
        if isinstance(block, Table):
            _print_table(block)
        else:
            for line in _lines(block):
                typer.echo(visible(line))


def _print_table(table: Table) -> None:
    print_table(
        table.title,
        [column.title for column in table.columns],
        [[cell(value, column).text for value, column in zip(row, table.columns, strict=True)] for row in table.rows],
        numeric=[column.kind in NUMERIC for column in table.columns],
    )
    if not table.rows:
        typer.echo(say("None."))
    if table.note:
        typer.echo(visible(text_of(table.note)))


def _lines(block: Block) -> list[str]:
    match block:
        case Heading():
            return ["", block.text]
        case Paragraph():
            return [text_of(block.text)]
        case Quotation():
            return block.text.splitlines()
        case Bullets():
            return [f"- {text_of(item)}" for item in block.items]
        case KeyValues():
            return [f"{name}: {show(value).text}" for name, value in block.items]
        case Callout():
            return [f"{block.title}: {text_of(block.text)}"]
        case Samples():
            return [block.title, *(f"- {item.id}: {item.query}" for item in block.items)]
        case _:
            return []
