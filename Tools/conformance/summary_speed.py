#!/usr/bin/env python3
"""The cost of questions over 2,000,000 events if each file has its summary, beside ClickHouse over the same files.

    swift build -c release --product looptrail
    Tools/conformance/summary_speed.py

Each measurement is a process of its own, and they take turns. Prints medians of processor time (user and system). For ClickHouse that is
the time of the query without the start, for the command that of the whole process. With `--target` a missed target fails.
"""

import importlib.metadata
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import tempfile

from bgzf import END_MEMBER, members
from harness import Looptrail, arguments
from speed import STEPS, WINDOW_SECONDS, funnel_command, measured, member, write_events

COUNTS = ", ".join(f"countIf(level >= {step + 1})" for step in range(len(STEPS)))
NAMES = ", ".join(f"'{name}'" for name in STEPS)
PLAIN = """SELECT {counts} FROM (
  SELECT user, windowFunnel({window})(t_ms, {conditions}) AS level FROM ({rows}) GROUP BY user
) SETTINGS max_threads = {threads}"""
GROUPED = """SELECT sum(c1), sum(c2), count() FROM (SELECT product, countIf(level >= 1) AS c1, countIf(level >= 2) AS c2 FROM (
  SELECT user, windowFunnel({window})(t_ms, {conditions}) AS level, argMinIf(product, t_ms, ({conditions_any}) AND product != '') AS product
  FROM ({rows}) GROUP BY user) GROUP BY product) SETTINGS max_threads = {threads}"""
CLICKHOUSE = """
import json, resource, sys, chdb
def used():
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime
before = used()
rows = str(chdb.query(sys.argv[1], "JSONCompactEachRow")).strip()
print(json.dumps({"row": [int(count) for count in json.loads(rows)], "processor": used() - before}))
"""
TARGETS = {
    "five steps, ids proven apart": 0.06, "five steps, ranges of ids overlap": 0.10, "five steps, ids must be read": 0.20,
    "a price and a breakdown": 0.10,
    "ClickHouse on our Parquet": 0.15, "index, of a scan": 3.0, "index, memory MB": 250, "index, size of the gz": 0.66,
    "index with --props text, size of the gz": 0.90,
}


def clickhouse(query: str) -> tuple[list[int], float]:
    printed = subprocess.run([sys.executable, "-c", CLICKHOUSE, query], stdout=subprocess.PIPE, check=True).stdout
    found = json.loads(printed)
    return found["row"], found["processor"]


def rows(folder: str, kind: str, columns: str, once: bool, select: str) -> str:
    """A query for the events of the five names; with `once`, one event for each id."""
    suffix, form, schema = ("gz", "JSONEachRow", f", '{columns}'") if kind == "gz" else ("parquet", "Parquet", "")
    limit = " LIMIT 1 BY id" if once else ""
    return f"SELECT {select} FROM file('{folder}/*.{suffix}', '{form}'{schema}) WHERE name IN ({NAMES}){limit}"


def plain(folder: str, kind: str, once: bool, threads: int) -> str:
    source = rows(folder, kind, "user String, t_ms UInt64, name String, id String", once,
                  "assumeNotNull(user) AS user, toUInt64(assumeNotNull(t_ms)) AS t_ms, assumeNotNull(name) AS name")
    return PLAIN.format(
        counts=COUNTS, window=WINDOW_SECONDS * 1000, conditions=", ".join(f"name = '{name}'" for name in STEPS), rows=source,
        threads=threads)


def grouped(folder: str, threads: int) -> str:
    source = rows(folder, "gz", "user String, t_ms UInt64, name String, id String, props Tuple(product String, price Float64)", True,
                  "user, t_ms, name, props.product AS product, props.price AS price")
    conditions = ["name = 'product_viewed' AND price >= 50", "name = 'cart_added'"]
    return GROUPED.format(
        window=WINDOW_SECONDS * 1000, conditions=", ".join(conditions), conditions_any=" OR ".join(f"({one})" for one in conditions),
        rows=source, threads=threads)


class Series:
    """Keeps the figures and the counts of each measurement."""

    def __init__(self) -> None:
        self.figures: dict[str, list[tuple[float, float]]] = {}
        self.counts: dict[str, object] = {}

    def add(self, name: str, counts: object, processor: float, memory: float = 0) -> None:
        self.figures.setdefault(name, []).append((processor, memory))
        self.counts[name] = counts

    def command(self, name: str, command: list[str]) -> None:
        printed, processor, _, memory = measured(command)
        found = json.loads(printed)
        self.add(name, [step["count"] for step in found["steps"]], processor, memory)

    def clickhouse(self, name: str, query: str) -> None:
        self.add(name, *clickhouse(query))

    def processor(self, name: str) -> float:
        # The first run does not count: it brings the files into memory.
        return statistics.median(processor for processor, _ in self.figures[name][1:])

    def memory(self, name: str) -> float:
        return max(memory for _, memory in self.figures[name])


def index(binary: str, folder: str, more: list[str]) -> tuple[float, float, float]:
    """Makes all summaries anew. Returns processor seconds, memory, and the summaries' size as a share of that of the event files."""
    for name in os.listdir(folder):
        if name.endswith(".parquet"):
            os.remove(os.path.join(folder, name))
    printed, processor, _, memory = measured([Looptrail(binary).binary, "index", folder, "--format", "json", "--threads", "2", *more])
    totals = json.loads(printed)["totals"]
    return processor, memory, totals["summary_bytes"] / totals["bytes"]


def share_ids(source: str, folder: str) -> None:
    """Copies the files, each with one line of the next file at its end, so that the command must read the ids of all."""
    names = sorted(name for name in os.listdir(source) if name.endswith(".gz"))

    def read(name: str) -> bytes:
        with open(os.path.join(source, name), "rb") as file:
            return file.read()

    # Keeps only one file in memory, because the memory of this process counts for its children, too.
    first = [next(members(read(name)))[1].splitlines(keepends=True)[0] for name in names]
    for name, line in zip(names, first[1:] + first[:1]):
        with open(os.path.join(folder, name), "wb") as file:
            file.write(read(name).removesuffix(END_MEMBER) + member(line) + END_MEMBER)


def main() -> None:
    parser = arguments(__doc__.splitlines()[0], seed=1)
    parser.add_argument("--events", type=int, default=2_000_000)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--target", action="store_true", help="exit with 1 if a target is missed")
    parser.add_argument("--keep", metavar="FOLDER", help="make the event files there, or measure those that are there")
    asked = parser.parse_args()
    if importlib.util.find_spec("chdb") is None:
        sys.exit("chdb is missing: pip install --requirement Tools/conformance/requirements.txt")
    with tempfile.TemporaryDirectory() as scratch:
        folders = {name: os.path.join(asked.keep or scratch, name) for name in ("apart", "read", "shared")}
        for name, folder in folders.items():
            if not os.path.exists(folder):
                os.makedirs(folder)
                if name == "shared":
                    share_ids(folders["read"], folder)
                else:
                    write_events(folder, asked.events, 8, asked.seed, apart=name == "apart")
        got = measure(asked, **folders)
    missed = [f"{name}: {got[name]:.2f}, target {target:g}" for name, target in TARGETS.items() if got[name] > target]
    print("\n" + ("\n".join(f"MISSED  {one}" for one in missed) or "every target is met"))
    if asked.target and missed:
        sys.exit(1)


def measure(asked, apart: str, read: str, shared: str) -> dict[str, float]:
    series = Series()
    with_text = index(asked.binary, apart, ["--props", "text"])
    # Makes the summaries without the column `props` last: the questions below read these.
    made = sorted(index(asked.binary, apart, []) for _ in range(3))[1]
    index(asked.binary, read, [])
    index(asked.binary, shared, [])
    prices = [Looptrail(asked.binary).binary, "funnel", apart, "--steps", "product_viewed[price>=50] > cart_added", "--window",
              f"{WINDOW_SECONDS}s", "--breakdown", "props.product", "--count", "users", "--format", "json", "--threads", str(asked.threads), "--quiet"]
    for _ in range(asked.rounds + 1):
        series.command("summaries, ids apart", funnel_command(asked.binary, apart, asked.threads))
        series.command("lines, ids apart", funnel_command(asked.binary, apart, asked.threads) + ["--no-index"])
        series.clickhouse("ClickHouse on gz, ids apart", plain(apart, "gz", True, asked.threads))
        series.command("summaries, ranges of ids overlap", funnel_command(asked.binary, read, asked.threads))
        series.clickhouse("ClickHouse on gz, ranges of ids overlap", plain(read, "gz", True, asked.threads))
        series.command("summaries, ids read", funnel_command(asked.binary, shared, asked.threads))
        series.clickhouse("ClickHouse on gz, ids read", plain(shared, "gz", True, asked.threads))
        series.command("summaries, price and breakdown", prices)
        series.command("lines, price and breakdown", prices + ["--no-index"])
        series.clickhouse("ClickHouse on gz, price and breakdown", grouped(apart, asked.threads))
        series.clickhouse("ClickHouse on gz, no id", plain(apart, "gz", False, asked.threads))
        series.clickhouse("ClickHouse on our Parquet, no id", plain(apart, "parquet", False, asked.threads))
    for one, other in (("summaries, ids apart", "lines, ids apart"), ("summaries, ids apart", "ClickHouse on gz, ids apart"),
                       ("summaries, ranges of ids overlap", "ClickHouse on gz, ranges of ids overlap"),
                       ("summaries, ids read", "ClickHouse on gz, ids read"),
                       ("summaries, price and breakdown", "lines, price and breakdown"),
                       ("ClickHouse on gz, no id", "ClickHouse on our Parquet, no id")):
        if series.counts[one] != series.counts[other]:
            sys.exit(f"different counts: {one} {series.counts[one]}, {other} {series.counts[other]}")
    if series.counts["ClickHouse on gz, price and breakdown"][:2] != series.counts["summaries, price and breakdown"]:
        sys.exit(f"different counts with a price: {series.counts}")

    def ratio(name: str, of: str) -> float:
        return series.processor(name) / series.processor(of)

    scan = series.processor("lines, ids apart")
    got = {
        "five steps, ids proven apart": ratio("summaries, ids apart", "ClickHouse on gz, ids apart"),
        "five steps, ranges of ids overlap": ratio("summaries, ranges of ids overlap", "ClickHouse on gz, ranges of ids overlap"),
        "five steps, ids must be read": ratio("summaries, ids read", "ClickHouse on gz, ids read"),
        "a price and a breakdown": ratio("summaries, price and breakdown", "ClickHouse on gz, price and breakdown"),
        "ClickHouse on our Parquet": ratio("ClickHouse on our Parquet, no id", "ClickHouse on gz, no id"),
        "index, of a scan": made[0] / scan, "index, memory MB": max(made[1], with_text[1]), "index, size of the gz": made[2],
        "index with --props text, size of the gz": with_text[2],
    }
    print(f"**Summaries beside ClickHouse** (chdb {importlib.metadata.version('chdb')}), {asked.events:,} events, {asked.threads} threads, "
          f"medians of {asked.rounds} rounds\n\n| | processor s | memory MB |\n|---|---:|---:|")
    for name in series.figures:
        memory = series.memory(name)
        print(f"| {name} | {series.processor(name):.3f} | {f'{memory:.0f}' if memory else ''} |")
    print(f"| index | {made[0]:.2f} | {made[1]:.0f} |\n| index --props text | {with_text[0]:.2f} | {with_text[1]:.0f} |")
    print("\n| measure | ratio | target |\n|---|---:|---:|")
    for name, target in TARGETS.items():
        print(f"| {name} | {got[name]:.3g} | {target:g} |")
    return got


if __name__ == "__main__":
    main()
