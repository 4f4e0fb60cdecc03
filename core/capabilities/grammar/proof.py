"""Proof that a written SQL template may be run, before it is: by its syntax tree, then by the database's query plan.

Allowed is one SELECT of one column that people understand, over tables of the schema, by values that placeholders name.
It must not write, wait, read files or vary from day to day. Whether it has one answer is checked for each value, by
DISTINCT."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hcat.core.capabilities.grammar.schema import is_code, is_name
from hcat.core.capabilities.grammar.written_template import Place, WrittenTemplate, places_in
from hcat.core.errors import HcatError

if TYPE_CHECKING:
    import sqlalchemy as sa
    from sqlglot import exp

_DIALECTS = {"postgresql": "postgres", "mssql": "tsql", "mariadb": "mysql"}
_MOMENTS = ("now", "today", "tomorrow", "yesterday", "epoch", "allballs")
"""Words that databases interpret as a time."""
_QUOTED = re.compile(r"(['\"]?)(\[[^\[\].:]+\.[^\[\].:]+(?::\d+)?\])\1")


@dataclass(frozen=True, slots=True)
class ProvedSelect:
    """A template that may be run: `sql` with a bound parameter for each placeholder (`p0`, `p1` …), in their order.

    `constants` are further parameters. `combinations` selects the values of several placeholders that occur together;
    None if the conditions don't determine them, so that every combination has to be tried."""

    sql: str
    places: tuple[Place, ...]
    tables: tuple[str, ...]
    constants: Mapping[str, str] = field(default_factory=dict)
    combinations: str | None = None


def prove_select(template: WrittenTemplate, tables: Mapping[str, sa.Table], *, dialect: str) -> ProvedSelect:
    """The template as a proved SELECT. Raises HcatError with the problem and the expected form."""
    try:
        template.sql.encode()
        return _proved(template, tables, dialect=dialect)
    except (RecursionError, UnicodeEncodeError) as error:
        why = "half a character" if isinstance(error, UnicodeEncodeError) else "more levels of brackets than can be"
        raise HcatError(f"the SQL can't be read: it has {why}") from None


def _proved(template: WrittenTemplate, tables: Mapping[str, sa.Table], *, dialect: str) -> ProvedSelect:
    import sqlglot

    language = _DIALECTS.get(dialect, dialect)
    places = template.places
    if not places:
        raise HcatError("the SQL has no placeholder: name a value as '[table.column]' in WHERE")
    places = tuple(_as_in_schema(place, tables) for place in places)
    _check_places(places, tables)
    text = _QUOTED.sub(lambda match: f":p{places.index(_place(match[2]))}", template.sql.strip().rstrip(";"))
    try:
        statements = [statement for statement in sqlglot.parse(text, read=language) if statement is not None]
    except sqlglot.errors.SqlglotError as error:
        raise HcatError(f"the SQL can't be read: {str(error).splitlines()[0]}") from None
    if len(statements) != 1:
        raise HcatError(f"expected one statement, found {len(statements)}")
    select = _check_select(statements[0])
    names = _check_tables(select, tables)
    _check_asked(select, tables, names)
    _check_conditions(select, len(places))
    constants = _bind_constants(select)
    return ProvedSelect(
        _sql(select, language),
        places,
        names,
        constants,
        _combinations(select, len(places), language),
    )


def _place(text: str) -> Place:
    return places_in(text)[0]


def _as_in_schema(place: Place, tables: Mapping[str, sa.Table]) -> Place:
    """The place with the spelling of the schema, if names differ only in case."""
    table = _in_any_case(place.table, tables)
    column = _in_any_case(place.column, tables[table].c.keys()) if table in tables else place.column
    return Place(table, column, place.number)


def _in_any_case(name: str, known: Iterable[str]) -> str:
    names = tuple(known)
    alike = [each for each in names if each.casefold() == name.casefold()]
    return name if name in names or len(alike) != 1 else alike[0]


def _check_places(places: tuple[Place, ...], tables: Mapping[str, sa.Table]) -> None:
    for place in places:
        table = tables.get(place.table)
        if table is None or place.column not in table.c:
            raise HcatError(f"{place} is no column of the database: write '[table.column]' as the schema names them")
        if is_code(place.column) or place.column in _keys(table):
            raise HcatError(f"{place} is a key or a code: name rows by what people call them")


def _check_select(statement: exp.Expr) -> exp.Select:
    """The statement as a SELECT of one column without side effects or delays. Raises HcatError otherwise."""
    from sqlglot import exp

    if not isinstance(statement, exp.Select):
        raise HcatError(f"only SELECT is allowed, not {statement.key.upper()}")
    writing = (exp.Insert, exp.Update, exp.Delete, exp.Merge, exp.Create, exp.Drop, exp.Alter, exp.Command, exp.Into)
    if found := next(statement.find_all(*writing, exp.Lock), None):
        raise HcatError(f"only reading is allowed, and {found.key.upper()} is more")
    if moment := _moment(statement):
        raise HcatError(f"the answer would change from one time to the next ({moment}): leave that out")
    if function := next((each for each in statement.find_all(exp.Func) if not _is_safe(each)), None):
        raise HcatError(f"the function {_function(function)} is not known to be safe: leave it out")
    if statement.args.get("limit") or statement.args.get("offset") or next(statement.find_all(exp.Fetch), None):
        raise HcatError("LIMIT would hide that there are several answers: leave it out")
    if len(statement.expressions) != 1 or statement.is_star:
        raise HcatError(f"select one column, the answer; this selects {_columns(statement)}")
    return statement


def _moment(statement: exp.Expr) -> str:
    """The expression that depends on the time of the query; empty if there is none."""
    from sqlglot import exp

    clocks = (exp.CurrentDate, exp.CurrentTime, exp.CurrentTimestamp, exp.Localtime, exp.Localtimestamp, exp.Rand)
    clock = next(statement.find_all(*clocks), None)
    words = (each.this.strip().casefold() for each in statement.find_all(exp.Literal) if each.is_string)
    return clock.key if clock is not None else next((word for word in words if word in _MOMENTS), "")


def _is_safe(function: exp.Func) -> bool:
    """Whether the function is deterministic and has no side effects, by a list of functions known to be so."""
    from sqlglot import exp

    known = (
        *(exp.And, exp.Or, exp.Xor, exp.Case, exp.If, exp.Exists, exp.Coalesce, exp.Nullif),
        *(exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max, exp.Round, exp.Abs, exp.Floor, exp.Ceil, exp.Sign),
        *(exp.Upper, exp.Lower, exp.Initcap, exp.Length, exp.Trim, exp.Substring, exp.Left, exp.Right),
        *(exp.StrPosition, exp.Concat, exp.Year, exp.Month, exp.Day),
        *(exp.Cast, exp.Extract),
    )
    if isinstance(function, exp.Date | exp.TimeToStr):  # of a column's date; without one, of today
        return function.find(exp.Column) is not None
    return isinstance(function, known) and not isinstance(function, exp.TryCast)


def _function(function: exp.Func) -> str:
    return function.name if function.key.startswith("anonymous") else function.key


def _columns(statement: exp.Select) -> str:
    return "*" if statement.is_star else str(len(statement.expressions))


def _check_tables(select: exp.Select, tables: Mapping[str, sa.Table]) -> tuple[str, ...]:
    """The tables that it reads, each of the schema and without a qualifier."""
    from sqlglot import exp

    by_name = {name.casefold(): name for name in tables}
    names = []
    for table in select.find_all(exp.Table):
        if not isinstance(table.this, exp.Identifier) or table.db or table.catalog:
            raise HcatError(f"{table.sql()} is no table of the schema: read its tables alone")
        if _is_own(table):
            continue
        if table.name.casefold() not in by_name:
            raise HcatError(f"there is no table {table.name}: the schema has {', '.join(tables)}")
        names.append(by_name[table.name.casefold()])
    if not names:
        raise HcatError("it reads no table: say FROM which")
    return tuple(dict.fromkeys(names))


def _is_own(table: exp.Table) -> bool:
    """Whether the name is defined by an enclosing WITH before it; other scopes do not define names for it."""
    from sqlglot import exp

    inner: exp.Expr = table
    while (outer := inner.parent) is not None:
        given = None if isinstance(outer, exp.With) else outer.args.get("with_") or outer.args.get("with")
        if given is not None and given is not inner and _name(table.this) in map(_name_of_cte, given.expressions):
            return True
        if isinstance(outer, exp.With):
            place = next(number for number, cte in enumerate(outer.expressions) if cte is inner)
            before = outer.expressions[: place + bool(outer.args.get("recursive"))]
            if _name(table.this) in map(_name_of_cte, before):
                return True
        inner = outer
    return False


def _name_of_cte(cte: exp.CTE) -> str:
    return _name(cte.args["alias"].this)


def _name(identifier: exp.Identifier) -> str:
    """The name as servers compare it: unchanged if quoted, otherwise in lower case."""
    return str(identifier.name) if identifier.args.get("quoted") else str(identifier.name).casefold()


def _check_asked(select: exp.Select, tables: Mapping[str, sa.Table], names: tuple[str, ...]) -> None:
    """Raise HcatError if the answer is a key or code; counting them is allowed."""
    from sqlglot import exp

    known = {column.name.casefold() for name in names for column in tables[name].c}
    keys = {key.casefold() for name in names for key in _keys(tables[name])}
    for column in select.expressions[0].find_all(exp.Column):
        name = column.name.casefold()
        if name not in known and not list(select.find_all(exp.CTE, exp.Subquery)):
            raise HcatError(f"none of {', '.join(names)} has a column {column.name}")
        if (name in keys or is_code(column.name)) and column.find_ancestor(exp.Count) is None:
            raise HcatError(f"{column.name} is a key or a code: ask for what people understand")


def _check_conditions(select: exp.Select, n: int) -> None:
    """Raise HcatError if a placeholder restricts no rows, or the answer is a given value."""
    from sqlglot import exp

    own = {f"p{number}" for number in range(n)}
    for other in select.find_all(exp.Placeholder, exp.Parameter):
        if other.name not in own:
            raise HcatError(f"{other.sql()} names no value: write it as '[table.column]'")
    for number in range(n):
        uses = [place for place in select.find_all(exp.Placeholder) if place.name == f"p{number}"]
        if not uses or any(use.find_ancestor(exp.Where, exp.Having, exp.Join) is None for use in uses):
            raise HcatError("each placeholder belongs into WHERE, as column = '[table.column]'")
    if isinstance(asked := select.expressions[0].unalias(), exp.Column):
        for condition, _ in _equalities(select):
            if condition.name.casefold() == asked.name.casefold() and condition.table == asked.table:
                raise HcatError(f"{asked.name} is what the question names already: ask for another column")


def _bind_constants(select: exp.Select) -> dict[str, str]:
    """Replace texts with a colon by parameters, since a colon would begin a parameter. Returns the values by name."""
    from sqlglot import exp

    constants: dict[str, str] = {}
    for literal in list(select.find_all(exp.Literal)):
        if literal.is_string and ":" in literal.this:
            name = f"c{len(constants)}"
            constants[name] = literal.this
            literal.replace(exp.Placeholder(this=name))
    return constants


def _combinations(select: exp.Select, n: int, language: str) -> str | None:
    """A query for the values that occur together: the same rows without the conditions on placeholders, selecting their
    columns. None if a placeholder is not in a plain equation of the outermost WHERE."""
    from sqlglot import exp

    if n == 1 or select.args.get("with_") or select.args.get("with"):
        return None
    rows = select.copy()
    columns: dict[str, exp.Column] = {}
    for column, placeholder in list(_equalities(rows)):
        columns[placeholder.name] = column.copy()
        equation = column.parent
        assert equation is not None
        equation.replace(exp.EQ(this=exp.Literal.number(1), expression=exp.Literal.number(1)))
    if len(columns) < n or any(place.name.startswith("p") for place in rows.find_all(exp.Placeholder)):
        return None
    for part in ("group", "having", "order"):
        rows.set(part, None)
    chosen = [columns[f"p{number}"] for number in range(n)]
    rows.set("expressions", chosen)
    rows.set("distinct", exp.Distinct())
    rows.set("order", exp.Order(expressions=[column.copy() for column in chosen]))
    return _sql(rows, language)


def _equalities(select: exp.Select) -> Iterator[tuple[exp.Column, exp.Placeholder]]:
    """Column and placeholder of each equation that the outermost WHERE requires."""
    from sqlglot import exp

    where = select.args.get("where")
    parts = [where.this] if where is not None else []
    while parts:
        part = parts.pop().unnest()
        if isinstance(part, exp.And):
            parts += [part.expression, part.this]
        elif isinstance(part, exp.EQ):
            sides = (part.this, part.expression)
            for one, other in (sides, sides[::-1]):
                if isinstance(one, exp.Column) and isinstance(other, exp.Placeholder):
                    yield one, other


def _sql(select: exp.Select, language: str) -> str:
    """The statement as SQLAlchemy reads it, since each dialect would write parameters in its own way."""
    from sqlglot import exp

    written = select.copy()
    for place in list(written.find_all(exp.Placeholder)):
        place.replace(exp.Var(this=f":{place.name}"))
    return written.sql(dialect=language)


def _keys(table: sa.Table) -> set[str]:
    """Columns that relate rows to each other, except those that are called a name."""
    keys = {column.name for column in table.primary_key}
    keys |= {column.name for key in table.foreign_key_constraints for column in key.columns}
    return {key for key in keys if not is_name(key, table.name)}
