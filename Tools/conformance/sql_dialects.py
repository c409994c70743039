#!/usr/bin/env python3
"""The SQL of `looptrail sql` counts in ClickHouse, DuckDB and Spark as `looptrail funnel` does. Tries every public case that SQL does not
refuse, and seeded random definitions. Their random events have ties, repeats, copies, anonymous people, clocks far ahead and all kinds of
properties. A definition is a funnel of all starts or of mature ones, or a trend in one of several time zones. SQL reads the lines
and, every third time, also summaries in Parquet whose columns differ. Compares counts, shares, percentiles and groups, row by row.

    swift build -c release --product looptrail && Tools/conformance/sql_dialects.py [--cases 320] [--dialects clickhouse,duckdb,spark]
"""

import csv
import datetime
import json
import math
import os
import random
import re
import struct
import tempfile
import time
import zlib
from collections.abc import Callable

from bgzf import END_MEMBER

from harness import ROOT, Checks, Looptrail, arguments, module, tool

Row = tuple
START = 1_767_225_600_000
NAMES = ["a", "b", "c", "it's", "Order Completed", "d\\e", "größe", "${x}", "it's two\n\nlines"]
TEXTS = ["x", "X", "", "10", "010", "1e1", "-3", "true", "ä", "zz", "it's", "a\\b", "2.1.0", "9007199254740993"]
VALUES = TEXTS + [10, 10, 9, -3, 0, True, False, None, 9007199254740992, 9007199254740993, {"deep": 1}, [1], {"deep": "x"}]
FRACTIONS = [9.5, 10.0, 1e1, 0.1, -2.5, 1e22]
WINDOWS = [0, 1, 2, 3, 5, 20, 400]
HOUR = 3_600_000
ZONES = ["UTC", "Europe/Berlin", "Australia/Lord_Howe", "America/St_Johns", "Asia/Kathmandu", "America/Santiago"]


def clickhouse() -> Callable[[str], list[Row]]:
    import chdb

    def ask(sql: str) -> list[Row]:
        answer = str(chdb.query(sql + " ", "JSONCompact"))
        return [tuple(row) for row in json.loads(answer)["data"]]

    return ask


def duckdb() -> Callable[[str], list[Row]]:
    import duckdb

    connection = duckdb.connect()
    return lambda sql: connection.sql(sql).fetchall()


def spark() -> Callable[[str], list[Row]]:
    from pyspark.sql import SparkSession

    session = (
        SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").config("spark.sql.shuffle.partitions", "2").getOrCreate()
    )
    session.sparkContext.setLogLevel("OFF")
    session.sql("SET spark.sql.parquet.mergeSchema = true")
    return lambda sql: [tuple(row) for row in session.sql(sql).collect()]


DIALECTS = {"clickhouse": (clickhouse, "chdb"), "duckdb": (duckdb, "duckdb"), "spark": (spark, "pyspark")}


def number(value: object) -> float | None:
    return None if value is None else float(value)  # type: ignore[arg-type]


def rows_of(answer: dict, grouped: bool) -> list[Row]:
    """The rows that the statement of a funnel should give."""
    rows = []
    for value, steps in [(group["value"], group["steps"]) for group in answer["groups"]] if grouped else [(None, answer["steps"])]:
        for step in steps:
            times = step["from_first_ms"] or {}
            row = (step["index"], step["name"], step["count"], step["of_first"], step["of_previous"], times.get("p50"), times.get("p90"))
            rows.append((value, *row) if grouped else row)
    return rows


def same(got: list[Row], wanted: list[Row]) -> bool:
    def cells(one: object, other: object) -> bool:
        if other is ...:
            return True
        if one is None or other is None or isinstance(other, str):
            return one == other
        return math.isclose(float(one), float(other), rel_tol=1e-9, abs_tol=1e-9)  # type: ignore[arg-type]

    return len(got) == len(wanted) and all(len(a) == len(b) and all(map(cells, a, b)) for a, b in zip(got, wanted))


def quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def public_cases(scratch: str) -> list[tuple[str, list[str], str]]:
    """Title, flags and file of each case that comes from the tests of other products."""
    with open(os.path.join(ROOT, "Tests/FunnelsTests/Data/funnel-cases.json")) as file:
        cases = json.load(file)
    words, found = {"first_touch": "first", "last_touch": "last", "all_events": "all"}, []
    for place, case in enumerate(cases):
        semantics, steps = case["semantics"], []
        for step in case["steps"]:
            tests = ",".join(f"{quoted(key)}={quoted(value)}" for key, value in sorted(step["where"].items()))
            steps.append(quoted(step["name"]) + (f"[{tests}]" if tests else "") + ("?" if step["optional"] else ""))
        flags = ["--steps", " > ".join(steps), "--window", f"{int(case['window_s'] * 1000)}ms"]
        if semantics["key"] != "user":
            flags += ["--by", f"props.{semantics['key']}"]
        if semantics.get("order", "ordered") != "ordered":
            flags += ["--order", {"unordered": "any"}.get(semantics["order"], semantics["order"])]
        for exclusion in semantics.get("exclusions") or []:
            flags += ["--exclude", f"!{quoted(exclusion['name'])}@{exclusion['from'] + 1}-{exclusion['to'] + 1}"]
        if semantics.get("breakdown"):
            flags += ["--breakdown", f"props.{semantics['breakdown']['prop']}:{words[semantics['breakdown']['attribution']]}"]
        if case["family"] == "windowFunnel":
            flags += ["--compat", "clickhouse" + (":" + "+".join(semantics["modes"]) if semantics.get("modes") else "")]
        path = os.path.join(scratch, f"public-{place}.ndjson")
        with open(path, "w") as file:
            for event in case["events"]:
                file.write(json.dumps({"t_ms": event["ts"], "name": event["name"], "user": event["user"], "props": event["props"]}) + "\n")
        found.append((f"public case `{case['name']}`", flags, path))
    return found


def random_events(dice: random.Random, path: str, unit: int = 1) -> int:
    """Writes random events and returns the span of their times in units. A unit is a number of milliseconds. Users, names, times and values
    are few, so that ties, repeats and windows that just close are frequent."""
    users = [f"u{place}" for place in range(dice.choice([1, 3, 10, 40]))]
    people = users + [f"a-{place}" for place in range(dice.choice([0, 0, 3]))] + [""]
    span, lines = dice.choice([3, 10, 50, 1000]), []
    count = dice.choice([0, 1, 5, 20, 100, 400] + [1500] * (unit > 1))
    # Lines of a clock that is far ahead. They are so few of 1,500 that they may not count as the end of the data.
    ahead = dict.fromkeys(dice.sample(range(count), dice.choice([0, 1, 1, 2])), dice.choice([2, 40, 400]) * 86_400_000) if count > 400 else {}
    for place in range(count):
        # Properties that serve as key or group have no fractions, because those stop the statement.
        props = {key: dice.choice(VALUES) for key in ["p", "q", "r s", "k.x"] if dice.random() < 0.7}
        props.update({key: dice.choice(FRACTIONS + [10, "10", "x", None]) for key in ["price", "Price"] if dice.random() < 0.7})
        props["in"] = {"plan": dice.choice(["free", "pro", "", None])}
        line = {"v": 1, "t_ms": START + dice.randrange(span) * unit + ahead.get(place, 0), "name": dice.choice(NAMES[:4] * 2 + NAMES), "user": dice.choice(people)}
        line.update(session=dice.choice(["s1", "s2", "s3"]), seq=place + 1, id=f"id-{place}", props=props)
        if place % 17 == 5:
            # A whole number, also as some other writers have it: `1767225600000.0`.
            line["t_ms"] = float(line["t_ms"])
        for key in ["v", "user", "session", "id", "props"]:
            if dice.random() < 0.05:
                del line[key]
        if dice.random() < 0.1:
            line["system"] = dice.choice(["shop", "other"])
        if dice.random() < 0.05:
            line["type"] = dice.choice(["track", "timing", None])
        lines.append(line)
        if dice.random() < 0.05:
            lines.append(line)
    for place in range(dice.choice([0, 0, 4])):
        at = START + dice.randrange(span) * unit
        props = {"anonymous": f"a-{dice.randrange(3)}"}
        lines.append({"t_ms": at, "name": "identified", "user": dice.choice(users), "id": f"meta-{place}", "type": "meta", "props": props})
    dice.shuffle(lines)
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(json.dumps(line, ensure_ascii=dice.random() < 0.5) + "\n" for line in lines)
    return span


def random_tests(dice: random.Random) -> str:
    key = dice.choice(["p", "q", '"r s"', '"k.x"', "in.plan", "price", "Price", "missing"])
    sign = dice.choice(["=", "!=", "<", "<=", ">", ">=", "~"])
    # A fraction that is compared as text stops the statement. `check_stops` checks that.
    if "rice" in key:
        return f"{key}{'=' if sign == '~' else sign}{quoted(dice.choice(['10', '9.5', '-2.5', '10.0', '9007199254740993', '1e1']))}"
    value = dice.choice(["10", "9.5", "-3", "true", "10.0", "9007199254740993", "1e1"] + TEXTS)
    return f"{key}{sign}{quoted(value)}"


def random_flags(dice: random.Random, span: int, unit: int = 1) -> list[str]:
    """A definition over these events. No event can fit two different steps, because that stops the statement."""
    names = NAMES[: dice.randint(2, len(NAMES))]
    dice.shuffle(names)
    patterns = []
    while names:
        taken, names = names[: dice.choice([1, 1, 1, 2])], names[dice.choice([1, 1, 1, 2]) :]
        names = [name for name in names if name not in taken]
        head = quoted(taken[0]) if len(taken) == 1 else "(" + " | ".join(map(quoted, taken)) + ")"
        kind = dice.random()
        if kind < 0.2:
            patterns.append(f"{head}[{', '.join(random_tests(dice) for _ in range(dice.choice([1, 1, 2])))}]")
        elif kind < 0.3:
            bound = dice.choice(["10", "0", "9.5"])
            patterns += [f"{head}[price>={bound}]", f"{head}[price<{bound}]"]
        else:
            patterns.append(head)
    if dice.random() < 0.05:
        patterns = ["*" + (f"[{random_tests(dice)}]" if dice.random() < 0.5 else "")]
    steps = [dice.choice(patterns) for _ in range(dice.choice([1, 2, 2, 3, 3, 4, 5, 6]))]
    flags = ["--steps", " > ".join(steps), "--window", f"{dice.choice(WINDOWS + [span]) * unit}ms"]
    flags += ["--by", dice.choice(["user"] * 6 + ["session", "system", "props.p", "props.in.plan"])]
    if dice.random() < 0.3:
        first, last = sorted(dice.sample(range(span + 5), 2))
        at = lambda place: datetime.datetime.fromtimestamp((START + place * unit) / 1000, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"
        flags += ["--since", at(first)] * (dice.random() < 0.7) + ["--until", at(last)] * (dice.random() < 0.7)
    if dice.random() < 0.25:
        flags += ["--hold", dice.choice(["props.p", "props.in.plan", 'props."r s"'])]
    if dice.random() < 0.5:
        attribution = dice.choice(["", ":first", ":last", f":step={dice.randint(1, len(steps))}"])
        flags += ["--breakdown", dice.choice(["props.p", "props.q", "props.in.plan", 'props."k.x"']) + attribution]
        flags += ["--top", str(dice.choice([1, 2, 10]))]
    return flags + (["--no-identify"] if dice.random() < 0.1 else [])


def random_form(dice: random.Random, flags: list[str], span: int, unit: int) -> list[str]:
    """The flags of a funnel of all starts, of a funnel of mature starts, or of a trend."""
    kind, flags = dice.random(), list(flags)
    if kind >= 0.6:
        return flags
    if dice.random() < 0.6:
        # A window that reaches beyond the end of the data for some starts.
        flags[flags.index("--window") + 1] = f"{dice.randrange(span + 1) * unit}ms"
    if kind < 0.3:
        flags += ["--mature"]
    else:
        flags += ["--as", "trend", "--every", dice.choice(["hour", "day", "day", "week", "month"]), "--tz", dice.choice(ZONES)]
        flags += ["--include-open"] * (dice.random() < 0.2)
    if dice.random() < 0.2:
        end = (START + dice.randrange(span + 2) * unit) / 1000
        flags += ["--data-end", datetime.datetime.fromtimestamp(end, datetime.UTC).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "Z"]
    return flags


def of_users(flags: list[str]) -> list[str]:
    """Adds `--count users`, because statements count users and the command might count visits."""
    return flags if "--count" in flags else [*flags, "--count", "users"]


def trend_rows(looptrail: Looptrail, path: str, flags: list[str]) -> list[Row]:
    """The rows that the statement of a trend should give. The command has percentiles for the last step only."""
    answer = looptrail.json("trend", path, *of_users(flags), "--quiet")
    rows: list[Row] = []
    if "--breakdown" not in flags:
        names = [step["name"] for step in looptrail.json("funnel", path, *of_users(without(flags, "--every")), "--quiet")["steps"]]
        for point in answer["points"]:
            counts, times = point["counts"], point["time_ms"] or {}
            for place, count in enumerate(counts):
                ofs = [count / whole if whole else None for whole in (counts[0], counts[max(place - 1, 0)])]
                last = (times.get("p50"), times.get("p90")) if place == len(counts) - 1 else (..., ...)
                rows.append((point["start_ms"], place + 1, names[place], count, *ofs, *last, int(point["complete"]), point["left_out"]))
        return rows
    table = looptrail.run("trend", path, *of_users(flags), "--quiet", "--format", "csv").stdout
    before: dict[tuple, int] = {}
    for row in csv.DictReader(table.splitlines()):
        if row["group"]:
            # In CSV a quote stands before values that a spreadsheet would take for formulas.
            row["group"] = re.sub("^'(?=[-+=@])", "", row["group"])
            start = round(datetime.datetime.fromisoformat(row["start"]).timestamp() * 1000)
            count, step = int(row["count"]), int(row["step"])
            key, first = (start, row["group"], step), before.get((start, row["group"], 1), count)
            before[key] = count
            whole = before.get((start, row["group"], max(step - 1, 1)), count)
            ofs = [count / one if one else None for one in (first, whole)]
            rows.append((start, row["group"], step, row["name"].replace("\\n", "\n"), count, *ofs, ..., ..., int(row["complete"] == "true"), int(row["left_out"])))
    return rows


def without(flags: list[str], name: str) -> list[str]:
    """The flags without the named one and its value."""
    return flags[: flags.index(name)] + flags[flags.index(name) + 2 :] if name in flags else flags


def summarised(dice: random.Random, looptrail: Looptrail, path: str, folder: str) -> str:
    """Writes the lines as segments with summaries, whose columns differ. Returns the glob of the summaries."""
    os.mkdir(folder)
    with open(path, "rb") as file:
        lines = file.readlines()
    count = dice.randint(1, 3)
    for number in range(count):
        part = b"".join(lines[number * len(lines) // count : (number + 1) * len(lines) // count])
        with open(os.path.join(folder, f"events-{'0' * 16}-{number + 1:010}.ndjson.gz"), "wb") as file:
            for at in range(0, len(part), 50_000):
                file.write(member(part[at : at + 50_000]))
            file.write(END_MEMBER)
    looptrail.run("index", folder, "--quiet")
    return folder + "/*.parquet"


def member(raw: bytes) -> bytes:
    """A member of blocked gzip."""
    packer = zlib.compressobj(6, zlib.DEFLATED, -15)
    packed = packer.compress(raw) + packer.flush()
    head = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0" + struct.pack("<H", len(packed) + 25)
    return head + packed + struct.pack("<II", zlib.crc32(raw), len(raw))


class Comparison:
    def __init__(self, checks: Checks, looptrail: Looptrail, dialect: str):
        self.checks, self.looptrail, self.dialect = checks, looptrail, dialect
        self.ask = DIALECTS[dialect][0]()
        self.compared = self.refused = self.stopped = self.converted = self.left_out = 0

    def statement(self, flags: list[str], path: str) -> tuple[int, str, str]:
        done = self.looptrail.run("sql", "--dialect", self.dialect, "--from", path, *flags)
        return done.returncode, done.stdout, done.stderr

    def check(self, title: str, flags: list[str], path: str, may_stop: bool = False, source: str | None = None) -> None:
        """Compares the engine's answer over `source`, or `path` without one, with the command's answer over `path`."""
        title = f"{self.dialect}: {title}: {' '.join(flags)}{' from Parquet' if source else ''}"
        status, sql, complaint = self.statement(flags, source or path)
        if status == 2 and "SQL cannot count" in complaint:
            self.refused += 1
            return
        if not self.checks.that(title, status == 0, complaint):
            return
        if "--as" in flags:
            wanted = trend_rows(self.looptrail, path, without(flags, "--as"))
            converted = sum(row[-7] for row in wanted)
            self.left_out += sum(row[-1] for row in wanted)
        else:
            answer = self.looptrail.json("funnel", path, *of_users(flags), "--quiet")
            wanted, converted = rows_of(answer, "--breakdown" in flags), answer["overall"]["converted"]
        try:
            got = self.ask(sql)
        except Exception as error:  # Any other error of the engine is a finding.
            self.stopped += may_stop and "two different steps" in str(error)
            self.checks.that(title, may_stop and "two different steps" in str(error), str(error)[:600])
            return
        if "--as" in flags and "--breakdown" in flags:
            # The command lists the groups of a period in another order.
            got, wanted = sorted(got, key=lambda row: row[:3]), sorted(wanted, key=lambda row: row[:3])
        self.compared += 1
        self.converted += converted
        self.checks.that(title, same(got, wanted), f"got {got}, wanted {wanted}")

    def stops(self, title: str, flags: list[str], path: str, word: str) -> None:
        """Checks that the statement ends with a message instead of a wrong count."""
        _, sql, _ = self.statement(flags, path)
        try:
            got = self.ask(sql)
        except Exception as error:
            self.checks.that(f"{self.dialect}: {title} stops", word in str(error), str(error)[:300])
        else:
            self.checks.that(f"{self.dialect}: {title} stops", False, f"got {got}")


def check_stops(comparison: Comparison, scratch: str) -> None:
    path = os.path.join(scratch, "stops.ndjson")
    with open(path, "w") as file:
        for place, props in enumerate([{"n": 1.5}, {"n": 2}]):
            file.write(json.dumps({"t_ms": START + place, "name": "ab"[place], "user": "u", "props": props}) + "\n")
    comparison.stops("an event of two different steps", ["--steps", "a > *"], path, "two different steps")
    comparison.stops("a key with a fraction", ["--steps", "a > b", "--by", "props.n"], path, "fraction")
    comparison.stops("a group with a fraction", ["--steps", "a > b", "--breakdown", "props.n"], path, "fraction")
    comparison.stops("a held value with a fraction", ["--steps", "a > b", "--hold", "props.n"], path, "fraction")
    comparison.stops("a fraction in a text", ["--steps", "a[n~5]"], path, "fraction")
    early = os.path.join(scratch, "early.ndjson")
    with open(early, "w") as file:
        for at in [-5, 5]:
            file.write(json.dumps({"t_ms": at, "name": "a", "user": "u"}) + "\n")
    trend = ["--as", "trend", "--steps", "a", "--tz", "UTC"]
    comparison.stops("a start before the periods", trend, early, "outside the periods")
    comparison.check("a start before 1970", [*trend, "--since", "1969-12-01"], early)
    if comparison.dialect == "spark":
        source = summarised(random.Random("columns"), comparison.looptrail, path, os.path.join(scratch, "columns"))
        comparison.ask("SET spark.sql.parquet.mergeSchema = false")
        comparison.stops("Parquet whose columns are not merged", ["--steps", "a[n=2]"], source, "mergeSchema")
        comparison.ask("SET spark.sql.parquet.mergeSchema = true")
    comparison.check("a fraction elsewhere", ["--steps", "b[n~2] > b[n~2]"], path)
    comparison.check("a fraction as a number", ["--steps", "a[n>=1.5] > b[n<3]", "--breakdown", "props.n:step=2"], path)


def main() -> None:
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--cases", type=int, default=320, help="how many random definitions")
    parser.add_argument("--first", type=int, default=0, help="the number of the first one")
    parser.add_argument("--dialects", default="clickhouse,duckdb")
    options = parser.parse_args()
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    with tempfile.TemporaryDirectory() as scratch:
        public = public_cases(scratch)
        for dialect in options.dialects.split(","):
            package = DIALECTS[dialect][1]
            if not module(package) or dialect == "spark" and not tool("java"):
                checks.missing(dialect, f"pip install {package}" + (", and Java 17" if dialect == "spark" else ""))
                continue
            start, comparison = time.monotonic(), Comparison(checks, looptrail, dialect)
            for title, flags, path in public:
                comparison.check(title, flags, path, may_stop=True)
            # One case has the steps `pv` and `pv["url"="aloha.com"]`. An event can fit both, which stops the statement.
            checks.equal(f"{dialect}: public cases that stop", comparison.stopped, 1)
            check_stops(comparison, scratch)
            for place in range(options.first, options.first + options.cases):
                dice = random.Random(f"{options.seed} {place}")
                path, unit = os.path.join(scratch, f"random-{place}.ndjson"), dice.choice([1, 1, HOUR, 5 * HOUR, 86_400_000 + 1])
                span = random_events(dice, path, unit)
                flags = random_form(dice, random_flags(dice, span, unit), span, unit)
                comparison.check(f"case {place} of seed {options.seed}", flags, path)
                if place % 3 == 0:
                    folder = os.path.join(scratch, f"{dialect}-{place}")
                    source = summarised(dice, looptrail, path, folder)
                    comparison.check(f"case {place} of seed {options.seed}", flags, folder, source=source)
            checks.that(f"{dialect}: enough was compared", comparison.compared >= options.cases, str(comparison.compared))
            checks.that(f"{dialect}: someone converts", comparison.converted > 0)
            checks.that(f"{dialect}: someone is left out", comparison.left_out > 0)
            print(
                f"{dialect}: {comparison.compared} compared, {comparison.refused} refused, {comparison.stopped} stopped, {comparison.converted} conversions, "
                f"{comparison.left_out} left out, "
                f"{time.monotonic() - start:.0f} s", flush=True)
    checks.close()


if __name__ == "__main__":
    main()
