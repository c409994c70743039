#!/usr/bin/env python3
"""Runs everything under Dashboards/ that asks for events on real engines, over the demo's files and some harder ones. It must count
what `looptrail` counts.

    swift build -c release --product looptrail && Tools/conformance/dashboards.py
"""

import json
import os
import random
import re
import shlex
import subprocess
import sys
import tempfile
import time

import dashboard_boards
import dashboard_engines
import dashboard_events
import grafana_sql
from dashboard_engines import ClickHouse, Question
from harness import Checks, Looptrail, arguments, module

CHECKOUT = "catalog_viewed > product_viewed > cart_added > checkout_started > payment_succeeded"
# Steps, window in milliseconds, and the time range, if any.
FUNNELS = [
    (CHECKOUT, 3_600_000, None, None),
    (CHECKOUT, 604_800_000, "2026-01-04", "2026-01-09T12:00"),
    ("cart_added>cart_viewed>checkout_started", 90_000, None, None),
    ("payment_succeeded > catalog_viewed", 1_209_600_000, None, None),
    ("product_viewed > product_viewed > cart_added > product_viewed > cart_added", 3_600_000, None, None),
    ("product_viewed > cart_added > product_viewed", 60_000, "2026-01-02", "2026-01-03"),
    ("catalog_viewed > catalog_viewed > catalog_viewed", 604_800_000, None, None),
    ("payment_failed", 1_000, None, None),
    ("cart_added > never_seen > payment_succeeded", 3_600_000, None, None),
]


def questions(cases: int, seed: int) -> list[Question]:
    dice = random.Random(seed)
    found = [Question(*funnel) for funnel in FUNNELS]
    for _ in range(cases):
        steps = " > ".join(dice.choice(dashboard_events.NAMES) for _ in range(dice.randint(1, 6)))
        window = dice.choice([1, 2, 5, 20, 400])
        since, until = dice.choice([(None, None), (None, None), ("2026-01-05T00:00:00.003", "2026-01-05T00:00:00.050")])
        found.append(Question(steps, window, since, until))
    return found


def ours(looptrail: Looptrail, folders: list[str], question: Question, *more: str) -> dict:
    return looptrail.json("funnel", *folders, *question.flags(), "--quiet", *more)


def check_engine(checks: Checks, looptrail: Looptrail, folders: list[str], engine: ClickHouse, asked: list[Question]) -> None:
    """Compares an engine's counts and median times with the command's."""
    start, conversions = time.monotonic(), 0
    for question in asked:
        answer = ours(looptrail, folders, question)
        wanted = [step["count"] for step in answer["steps"]]
        got, median = engine.funnel(question)
        checks.equal(f"{engine.name}: {question}", got, wanted)
        # A funnel of one step takes no time.
        times = answer["overall"]["time_ms"] or ({"p50": 0} if len(wanted) == 1 and wanted[0] else {"p50": None})
        same = median == times["p50"] or None not in (median, times["p50"]) and abs(median - times["p50"]) < 0.01
        checks.that(f"{engine.name}, median: {question}", same, f"got {median}, wanted {times['p50']}")
        if question in asked[:3]:
            bars = [(step["index"], name, *(step[key] for key in ("count", "of_first", "of_previous", "dropped")))
                    for step, name in zip(answer["steps"], question.names)]
            checks.equal(f"{engine.name}, bars: {question}", engine.bars(question), bars)
        conversions += wanted[-1]
    checks.that(f"{engine.name}: someone converts", conversions > 0)
    print(f"{engine.name}: {len(asked)} funnels, {time.monotonic() - start:.1f} s", flush=True)


def check_loaded_names(checks: Checks, loader: str, folder: str) -> None:
    """load.sh takes a hidden folder or `..` if it is named, and in a folder nothing that is hidden."""
    os.makedirs(os.path.join(folder, ".hidden/.pending"))
    os.makedirs(os.path.join(folder, ".hidden/more"))
    for name in (".hidden/a.ndjson.gz", ".hidden/.b.ndjson.gz", ".hidden/.pending/c.ndjson.gz", ".hidden/more/d.ndjson.gz", ".hidden/e.ndjson.open"):
        open(os.path.join(folder, name), "w").close()
    both = ["a.ndjson.gz", "d.ndjson.gz"]
    for place, named, wanted in (
        (".", [".hidden"], both), (".hidden/more", [".."], both), (".hidden", ["."], both), (".", [".hidden/more", ".hidden/a.ndjson.gz"], both),
        (".", [".hidden/a.ndjson.gz"], both[:1]), (".", [".hidden/e.ndjson.open"], []),
    ):
        # In place of the database `cat` prints the statements.
        done = subprocess.run([loader, *named], cwd=os.path.join(folder, place), env=dict(os.environ, CLICKHOUSE="cat"), text=True, capture_output=True)
        found = [os.path.basename(line.split("'")[1]) for line in done.stdout.splitlines() if line.startswith("INSERT")]
        checks.equal(f"load.sh {' '.join(named)} in {place}", sorted(found), wanted)


def check_clickhouse(checks: Checks, looptrail: Looptrail, folders: list[str], asked: list[Question], scratch: str) -> None:
    store = os.path.join(scratch, "clickhouse")
    # load.sh runs unchanged, with `dashboard_engines.py` as ClickHouse's client.
    client = f"{shlex.quote(sys.executable)} {shlex.quote(dashboard_engines.__file__)} {shlex.quote(store)}"
    for name in ("schema.sql", "funnel.sql", "schema.sql"):
        with open(dashboard_engines.dashboards("clickhouse", name)) as file:
            done = subprocess.run(shlex.split(client), stdin=file, text=True, capture_output=True)
        checks.that(f"clickhouse/{name}", done.returncode == 0, done.stderr[-500:])
    loader, environment = dashboard_engines.dashboards("clickhouse", "load.sh"), dict(os.environ, CLICKHOUSE=client)
    for _ in range(2):
        done = subprocess.run([loader, *folders], env=environment, text=True, capture_output=True)
        checks.that("clickhouse/load.sh", done.returncode == 0, done.stderr[-500:])
    done = subprocess.run([loader, scratch + "/nothing"], env=environment, text=True, capture_output=True)
    checks.that("load.sh of nothing fails", done.returncode == 1, f"exit {done.returncode}: {done.stderr[-200:]}")
    check_loaded_names(checks, loader, os.path.join(scratch, "names"))
    engine = dashboard_engines.ClickHouse(store)
    lines, again = looptrail.lines(*folders), looptrail.json("events", *folders)["input"]["duplicates"]
    checks.equal("different rows after each file was loaded twice", engine.one("SELECT count() FROM looptrail.events FINAL"), lines - again)
    checks.that("no file is inserted twice", engine.one("SELECT count() FROM looptrail.events") <= lines)
    check_engine(checks, looptrail, folders, engine, asked)
    with open(dashboard_engines.dashboards("clickhouse", "checkout.sql"), encoding="utf-8") as file:
        printed = json.loads(str(engine.session.query(file.read(), "JSON")))["data"]
    wanted = ours(looptrail, folders, Question(CHECKOUT, 3_600_000))["steps"]
    checks.equal("clickhouse/checkout.sql", [int(row["count"]) for row in printed], [step["count"] for step in wanted])
    start = time.monotonic()
    for question in asked:
        # windowFunnel lets one event fill several steps. The command does so with `--compat clickhouse`.
        compat = ["--compat", "clickhouse"] if question.has_repeats else []
        wanted = [step["count"] for step in ours(looptrail, folders, question, *compat)["steps"]]
        checks.equal(f"funnel_levels: {question}", engine.levels(question), wanted)
    print(f"windowFunnel: {len(asked)} funnels, {time.monotonic() - start:.1f} s", flush=True)
    start = time.monotonic()
    dashboard_boards.check(checks, looptrail, folders, engine, CHECKOUT)
    print(f"boards: {time.monotonic() - start:.1f} s", flush=True)
    check_page_on_clickhouse(checks, engine)
    engine.close()


def page() -> str:
    with open(dashboard_engines.dashboards("README.md"), encoding="utf-8") as file:
        return file.read()


def check_page_on_clickhouse(checks: Checks, engine: dashboard_engines.ClickHouse) -> None:
    """Runs the statements that the page shows: its SQL blocks except those that begin with FROM, and each SELECT after `--query`."""
    found = [sql for sql in re.findall(r"^```sql\n(.*?)^```$", page(), re.M | re.S) if not sql.startswith("FROM")]
    found += [sql for sql in re.findall(r'--query "(.*?)"', page(), re.S) if sql.startswith("SELECT")]
    checks.that("the page has SQL for ClickHouse", len(found) > 1)
    for statement in (statement for sql in found for statement in dashboard_engines.statements(sql.rstrip().rstrip(";") + ";\n")):
        try:
            engine.run(statement)
        except Exception as error:  # Any error of the engine is a finding.
            checks.that(f"the page: {statement.strip()[:60]} …", False, str(error)[:500])
        else:
            checks.that(f"the page: {statement.strip()[:60]} …", True)


def check_page_on_duckdb(checks: Checks, demo: str) -> None:
    """The printed statement must give, over the demo, the table that the page shows."""
    import duckdb

    with open(dashboard_engines.dashboards("duckdb", "checkout.sql"), encoding="utf-8") as file:
        query = file.read().replace("'looptrail-demo/", "'" + demo.replace("'", "''") + "/")
    shown = [tuple(cell.strip() for cell in line.strip("│").split("│")) for line in page().split("\n") if re.match(r"│ +\d+ │", line)]
    rows = [tuple("NULL" if cell is None else str(cell) for cell in row) for row in duckdb.sql(query).fetchall()]
    checks.equal("the page's table", shown, rows)


def main() -> None:
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--cases", type=int, default=40, help="how many random funnels, besides the fixed ones")
    options = parser.parse_args()
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    grafana_sql.check(checks)
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        demo = os.path.join(scratch, "demo")
        done = looptrail.run("demo", demo)
        checks.that("looptrail demo", done.returncode == 0, done.stderr[-500:])
        folders = [os.path.join(demo, "events"), os.path.join(scratch, "it's hard")]
        dashboard_events.write(folders[1], random.Random(options.seed))
        asked = questions(options.cases, options.seed)
        if module("chdb"):
            check_clickhouse(checks, looptrail, folders, asked, scratch)
        else:
            checks.missing("ClickHouse", "pip install chdb")
        if module("duckdb"):
            check_page_on_duckdb(checks, demo)
        else:
            checks.missing("DuckDB", "pip install duckdb")
    checks.close()


if __name__ == "__main__":
    main()
