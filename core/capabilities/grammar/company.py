"""A fictitious company: a database of any size, whose facts no model can have seen.

Names are made of syllables, all other values are drawn at random: every right answer of a system comes from the
documents."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, timedelta
from pathlib import Path

import numpy as np

from hcat.core.errors import HcatError
from hcat.core.records.atomic import new_path

SCHEMA = """
CREATE TABLE department (
    department_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL, founding_date DATE NOT NULL,
    annual_budget INTEGER NOT NULL
);
CREATE TABLE employee (
    employee_id INTEGER PRIMARY KEY, name TEXT NOT NULL, job_title TEXT NOT NULL, start_date DATE NOT NULL,
    salary INTEGER NOT NULL, supervisor TEXT, department_id INTEGER NOT NULL REFERENCES department (department_id)
);
CREATE TABLE client (
    client_id INTEGER PRIMARY KEY, name TEXT NOT NULL, country TEXT NOT NULL, industry TEXT NOT NULL,
    credit_limit INTEGER
);
CREATE TABLE project (
    project_id INTEGER PRIMARY KEY, name TEXT NOT NULL, status TEXT NOT NULL, start_date DATE NOT NULL,
    budget INTEGER NOT NULL, supervisor TEXT NOT NULL, client_id INTEGER NOT NULL REFERENCES client (client_id),
    department_id INTEGER NOT NULL REFERENCES department (department_id)
);
"""
_STARTS = "bel cor dra fen gal hol ist jor kel lum mar nor oss pel quin rav sel tor ul ver wen yar zeb"
_MIDDLES = "a e i o u an en or il et"
_ENDS = "bury dal den ford garth holm mere mont nick port rick stead ton vale wick"
_FIRST = "Ada Bram Cleo Dorin Edda Faro Gwen Hale Iona Jory Kira Lorne Mira Nils Oda Pia Quill Runa Sten Tove"
_JOBS = ("accountant", "analyst", "architect", "auditor", "buyer", "clerk", "designer", "engineer", "planner", "tester")
_INDUSTRIES = ("banking", "energy", "farming", "fishing", "insurance", "mining", "shipping", "textiles", "tourism")
_STATUSES = ("planned", "running", "paused", "finished", "cancelled")


def write_company(path: Path, *, employees: int, rng: np.random.Generator) -> None:
    """Write a SQLite file: about one department per 12 employees, one client per 4, one project per 3, and one
    supervisor per 8. The first employee has no supervisor.

    Raises HcatError if the file exists, or for fewer than 12 employees."""
    if path.exists():
        raise HcatError(f"{path} is there already: name a new file")
    if employees < 12:
        raise HcatError("a company needs at least 12 employees")
    names, first = _names(rng), _FIRST.split()
    departments, clients, projects = max(2, employees // 12), max(3, employees // 4), max(4, employees // 3)
    with new_path(path) as unfinished, closing(sqlite3.connect(unfinished)) as connection, connection:
        connection.executescript(SCHEMA)
        connection.executemany(
            "INSERT INTO department VALUES (?, ?, ?, ?, ?)",
            [
                (number, f"{next(names)} department", next(names), _day(rng), 1000 * int(rng.integers(80, 9000)))
                for number in range(1, departments + 1)
            ],
        )
        staff = [f"{rng.choice(first)} {next(names)}" for _ in range(employees)]
        supervisors = staff[: max(2, employees // 8)]
        connection.executemany(
            "INSERT INTO employee VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    number,
                    name,
                    str(rng.choice(_JOBS)),
                    _day(rng),
                    100 * int(rng.integers(280, 1900)),
                    None if number == 1 else str(rng.choice(supervisors[: number - 1])),
                    int(rng.integers(1, departments + 1)),
                )
                for number, name in enumerate(staff, start=1)
            ],
        )
        countries = [next(names) for _ in range(max(5, clients // 3))]
        connection.executemany(
            "INSERT INTO client VALUES (?, ?, ?, ?, ?)",
            [
                (
                    number,
                    f"{next(names)} {rng.choice(('Ltd', 'and Sons', 'Group', 'Works'))}",
                    str(rng.choice(countries)),
                    str(rng.choice(_INDUSTRIES)),
                    None if rng.random() < 0.1 else 1000 * int(rng.integers(5, 900)),
                )
                for number in range(1, clients + 1)
            ],
        )
        connection.executemany(
            "INSERT INTO project VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    number,
                    f"Project {next(names)}",
                    str(rng.choice(_STATUSES)),
                    _day(rng),
                    1000 * int(rng.integers(20, 4000)),
                    str(rng.choice(supervisors)),
                    int(rng.integers(1, clients + 1)),
                    int(rng.integers(1, departments + 1)),
                )
                for number in range(1, projects + 1)
            ],
        )
    connection.close()


def _names(rng: np.random.Generator) -> Iterator[str]:
    """Endless different names."""
    starts, middles, ends = _STARTS.split(), _MIDDLES.split(), _ENDS.split()
    used: set[str] = set()
    while True:
        middle = "".join(rng.choice(middles, size=1 + len(used) // 2000))
        name = f"{rng.choice(starts)}{middle}{rng.choice(ends)}".capitalize()
        if name not in used:
            used.add(name)
            yield name


def _day(rng: np.random.Generator) -> str:
    return (date(1995, 1, 1) + timedelta(days=int(rng.integers(0, 10_900)))).isoformat()
