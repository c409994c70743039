#!/usr/bin/env python3
"""Asks ClickHouse through the views of Dashboards/clickhouse.

As a command it replaces ClickHouse's client: it runs the statements of standard input on the database in the given folder.
"""

import json
import os
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import dashboard_events
from harness import ROOT

# The counts of a funnel's steps, and the median time to the last.
Answer = tuple[list[int], float | None]


class Question:
    """One funnel to ask an engine and the command."""

    def __init__(self, steps: str, window_ms: int, since: str | None = None, until: str | None = None):
        self.steps, self.window_ms, self.since, self.until = steps, window_ms, since, until
        self.since_ms = dashboard_events.milliseconds(since) if since else -4_000_000_000_000_000
        self.until_ms = dashboard_events.milliseconds(until) if until else 4_000_000_000_000_000

    @property
    def names(self) -> list[str]:
        return [step.strip() for step in self.steps.split(">")]

    @property
    def has_repeats(self) -> bool:
        return len(set(self.names)) < len(self.names)

    def __str__(self) -> str:
        return f"{self.steps} within {self.window_ms} ms, {self.since or ''} to {self.until or ''}"

    def flags(self) -> list[str]:
        # Quotes the names, because the grammar requires that for some of those in these files.
        steps = " > ".join('"' + name.replace("\\", "\\\\").replace('"', '\\"') + '"' for name in self.names)
        flags = ["--steps", steps, "--window", f"{self.window_ms}ms"]
        return flags + (["--since", self.since] if self.since else []) + (["--until", self.until] if self.until else [])


def dashboards(*path: str) -> str:
    return os.path.join(ROOT, "Dashboards", *path)


def quoted(text: str) -> str:
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def statements(text: str) -> Iterator[str]:
    """The statements of a file. A semicolon at the end of a line ends a statement."""
    for one in text.split(";\n"):
        if any(line.strip() and not line.lstrip().startswith("--") for line in one.split("\n")):
            yield one


def steps_of(question: Question, depths: Iterable[tuple[int, int, float | None]]) -> Answer:
    """From (depth, people that got so far, their median time) to the counts of the steps, and the median of the last."""
    depths = list(depths)
    counts = [sum(people for depth, people, _ in depths if depth > place) for place in range(len(question.names))]
    return counts, next((median for depth, _, median in depths if depth == len(question.names)), None)


class ClickHouse:
    """ClickHouse inside this process (chdb), with the database in a folder."""

    name = "ClickHouse"

    def __init__(self, folder: str):
        from chdb import session

        self.session = session.Session(folder)

    def run(self, sql: str) -> object:
        return self.session.query(sql)

    def rows(self, sql: str) -> list[dict]:
        """The rows as dictionaries."""
        answer = str(self.session.query(sql + " SETTINGS output_format_json_quote_64bit_integers = 0", "JSON"))
        return json.loads(answer)["data"] if answer.strip() else []

    def one(self, sql: str) -> Any:
        return next(iter(self.rows(sql)[0].values()))

    def close(self) -> None:
        # Sessions of older versions of chdb have no `close` and end with their process.
        getattr(self.session, "close", lambda: None)()

    def view(self, name: str, question: Question) -> str:
        """A call of a view with a funnel's parameters."""
        return (f"looptrail.{name}(steps = {quoted(question.steps)}, window_ms = {question.window_ms}, "
                f"since_ms = {question.since_ms}, until_ms = {question.until_ms})")

    def funnel(self, question: Question) -> Answer:
        found = self.rows(f"""SELECT depth, count() AS people, quantileExactInclusive(0.5)(reached_ms - entered_ms) AS median
            FROM {self.view('funnel_people', question)} GROUP BY depth""")
        return steps_of(question, ((row["depth"], row["people"], row["median"]) for row in found))

    def bars(self, question: Question) -> list[tuple]:
        return [tuple(row.values()) for row in self.rows(f"SELECT * FROM {self.view('funnel', question)} ORDER BY index")]

    def levels(self, question: Question) -> list[int]:
        found = self.rows(f"SELECT level, count() AS people FROM {self.view('funnel_levels', question)} GROUP BY level")
        return steps_of(question, ((row["level"], row["people"], None) for row in found))[0]


if __name__ == "__main__":
    server = ClickHouse(sys.argv[1])
    for statement in statements(sys.stdin.read()):
        server.run(statement)
    server.close()
