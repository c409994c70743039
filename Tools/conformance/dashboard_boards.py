"""Checks the boards on ClickHouse: runs every query of every panel and variable as Grafana would send it. Each must give data, and numbers
that the command computes, too, must be the same.
"""

import glob
import json
from collections.abc import Iterator
from typing import Any

import boards
import grafana_sql
from dashboard_engines import ClickHouse, Question, dashboards
from harness import Checks, Looptrail

SOURCE = "grafana-clickhouse-datasource"
FROM, TO = "2026-01-01", "2026-01-30"
DAY = 86_400_000


class Board:
    """A board as Grafana shows it: with values for its variables, and a time range."""

    def __init__(self, path: str, engine: ClickHouse, from_ms: int, to_ms: int):
        with open(path, encoding="utf-8") as file:
            self.content = json.load(file)
        self.engine, self.from_ms, self.to_ms = engine, from_ms, to_ms
        self.declared = self.content["templating"]["list"]
        self.values = {one["name"]: one["current"]["value"] for one in self.declared if one["type"] != "datasource"}
        self.panels = {panel["title"]: panel for panel in boards.panels_of(self.content)}

    def rows(self, panel: dict, target: dict, **values: Any) -> list[dict]:
        at = grafana_sql.Moment(self.from_ms, self.to_ms, 0)
        at.interval_ms = values.pop("interval_ms", None) or grafana_sql.interval_of(panel, at)
        return self.engine.rows(grafana_sql.expanded(target["rawSql"], self.values | values, at))

    def panel(self, title: str, **values: Any) -> list[dict]:
        return self.rows(self.panels[title], self.panels[title]["targets"][0], **values)


def clickhouse_boards() -> Iterator[str]:
    for path in sorted(glob.glob(dashboards("grafana", "**", "*.json"), recursive=True)):
        with open(path, encoding="utf-8") as file:
            if SOURCE in file.read():
                yield path


def has_data(rows: list[dict]) -> bool:
    return any(value is not None for row in rows for value in row.values())


def check(checks: Checks, looptrail: Looptrail, folders: list[str], engine: ClickHouse, checkout: str) -> None:
    from_ms, to_ms = (Question("x", 1, at).since_ms for at in (FROM, TO))
    found = [Board(path, engine, from_ms, to_ms - 1) for path in clickhouse_boards()]
    checks.that("there is a board on ClickHouse", bool(found))
    for board in found:
        name = board.content["title"]
        for variable in board.declared:
            if variable["type"] == "query":
                rows = engine.rows(grafana_sql.expanded(variable["query"], board.values, grafana_sql.Moment(from_ms, to_ms, 1000)))
                checks.that(f"{name}: the variable `{variable['name']}` has values", has_data(rows))
        for panel, target in boards.targets_of(board.content):
            try:
                rows = board.rows(panel, target)
            except Exception as error:  # Any error of the engine is a finding.
                checks.that(f"{name}: {boards.name_of(panel)}", False, str(error)[:700])
                continue
            checks.that(f"{name}: {boards.name_of(panel)} has data", has_data(rows), f"{rows}")
            if panel["type"] == "timeseries":
                times = [row["time"] for row in rows]
                checks.that(f"{name}: {boards.name_of(panel)} is in order", times == sorted(times), f"{times[:5]}")
    funnels = next((board for board in found if board.content["uid"] == "looptrail-funnels"), None)
    if not checks.that("the board of funnels is there", funnels is not None):
        return
    repeated = "product_viewed > cart_added > product_viewed"
    for steps, window in [(checkout, 3_600_000), (repeated, 3_600_000), ("a > it's > b", 600_000), ("nonesuch > a", 600_000)]:
        check_funnel(checks, looptrail, folders, funnels, Question(steps, window, FROM, TO))
    for steps, property in [(repeated, "sku"), ("a > b", "plan"), ("a", "deep.er"), ("a", "nonesuch")]:
        check_groups(checks, looptrail, folders, funnels, Question(steps, 3_600_000, FROM, TO), property)
    check_traffic(checks, looptrail, folders, funnels)
    check_quality(checks, looptrail, folders, funnels)


def check_funnel(checks: Checks, looptrail: Looptrail, folders: list[str], board: Board, question: Question) -> None:
    what, asked = f"board, {question}", {"steps": question.steps, "window": str(question.window_ms)}
    answer = looptrail.json("funnel", *folders, *question.flags(), "--quiet")
    wanted = [step["count"] for step in answer["steps"]]
    labels = [f"{place + 1} {name}" for place, name in enumerate(question.names)]
    checks.equal(f"{what}: bars", [(row["step"], row["people"]) for row in board.panel("People by step", **asked)], list(zip(labels, wanted)))
    table = [tuple(row.values()) for row in board.panel("Step by step", **asked)]
    checks.equal(f"{what}: table", table, [
        (step["index"], name, step["count"], step["of_first"], step["of_previous"], step["dropped"])
        for step, name in zip(answer["steps"], question.names)])
    lost = [row["Lost"] for row in board.panel("Lost before each step", **asked)]
    checks.equal(f"{what}: losses", lost, [step["dropped"] for step in answer["steps"][1:]])
    short, overall, times = board.panel("In short", **asked)[0], answer["overall"], answer["overall"]["time_ms"] or {}
    checks.equal(f"{what}: in short", (short["Entered"], short["Converted"], short["Conversion"]), (overall["entered"], overall["converted"], overall["rate"]))
    for title, key in [("Median time", "p50"), ("9 of 10 within", "p90")]:
        same = short[title] == times.get(key) or abs(short[title] - times[key]) < 0.01
        checks.that(f"{what}: {title}", same, f"{short[title]}, wanted {times.get(key)}")
    # The board counts a user once, on the day of the entry that counts. A trend has a funnel for each day and may count a user in several.
    days: dict[int, list[bool]] = {}
    for one in looptrail.json("users", *folders, *question.flags(), "--step", "1", "--quiet")["members"]:
        days.setdefault(one["start_ms"] // DAY, []).append(one["depth"] == len(question.names))
    wanted_days = [(len(found), sum(found), sum(found) / len(found)) for _, found in sorted(days.items())]
    got = [(row["Entered"], row["Converted"], row["Conversion"]) for row in board.panel("Conversion by time of entry", interval_ms=DAY, **asked)]
    checks.equal(f"{what}: by day", got, wanted_days)


def check_groups(checks: Checks, looptrail: Looptrail, folders: list[str], board: Board, question: Question, property: str) -> None:
    what, asked = f"board, {question} by {property}", {"steps": question.steps, "window": str(question.window_ms), "property": property}
    groups = looptrail.json("funnel", *folders, *question.flags(), "--quiet", "--count", "users", "--breakdown", f"props.{property}", "--top", "10")["groups"]
    wanted = [(one["value"], one["steps"][0]["count"], one["steps"][-1]["count"]) for one in groups]
    rows = board.panel("Funnel by property", **asked)
    checks.equal(f"{what}: table", [(row["Value"], row["Entered"], row["Converted"]) for row in rows], wanted)
    shares = {row["Value"]: row["Conversion"] for row in rows if row["Value"] != "(none)"}
    checks.equal(f"{what}: bars", {row["value"]: row["Conversion"] for row in board.panel("Conversion by property", **asked)}, shares)


def check_traffic(checks: Checks, looptrail: Looptrail, folders: list[str], board: Board) -> None:
    answer = looptrail.json("events", *folders, "--since", FROM, "--until", TO)
    wanted = {one["name"]: (one["count"], one["users"]) for one in answer["events"]}
    got = {row["Event"]: (row["Events"], row["User ids"]) for row in board.panel("Events")}
    for name in sorted(got.keys() | wanted.keys()):
        checks.equal(f"board: events `{name}`", got.get(name), wanted.get(name))
    total = sum(row["per minute"] for row in board.panel("Events per minute", interval_ms=DAY)) * DAY / 60_000
    checks.that("board: events per minute", abs(total - sum(count for count, _ in wanted.values())) < 0.01, f"{total}")
    whole = board.panel("People and sessions", interval_ms=365 * DAY)
    short = board.panel("Sessions in short")[0]
    checks.equal("board: sessions", sum(row["Sessions"] for row in whole), short["Sessions"])


def check_quality(checks: Checks, looptrail: Looptrail, folders: list[str], board: Board) -> None:
    answer = looptrail.json("events", *folders)["input"]
    found, reasons = board.panel("Missing and dropped")[0], board.panel("Dropped by reason")
    checks.equal("board: missing", found["Missing"], answer["sequence_gaps"])
    checks.equal("board: not understood", found["Not understood"], answer["bad_lines"])
    checks.equal("board: without a user", found["Without a user"], looptrail.json("funnel", *folders, "--steps", "a", "--quiet")["input"]["without_key"])
    checks.equal("board: dropped", sum(row["dropped"] for row in reasons), found["Dropped"])
    checks.that("board: something was dropped and is missing", found["Dropped"] > 0 and found["Missing"] > 0)
    listed = sum(row["Missing"] for row in board.panel("Sessions with gaps"))
    checks.that("board: sessions with gaps", 0 < listed <= found["Missing"], f"{listed}")
