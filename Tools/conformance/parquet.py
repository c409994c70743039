#!/usr/bin/env python3
"""Every engine reads every summary that `looptrail index` makes, one by one and by a glob, with equal counts, sums and distinct users.
Value by value, the summaries hold what Python reads from the lines.

The event files are the demo's, generated ones, and hostile ones: types that drift, 10,000 keys, names outside ASCII, empty files, copies.

    swift build -c release --product looptrail && Tools/conformance/parquet.py

With `--spark`, Spark reads the summaries, too, with its vectorised reader and without.
"""

import argparse
import gzip
import json
import math
import os
import random
import tempfile
from typing import Any, Callable

import speed
from bgzf import END_MEMBER
from harness import Checks, Looptrail, arguments, event_files, module

ENDING = ".parquet"
KINDS = {"number": float, "integer": int, "text": str, "flag": bool}
# The questions to every engine: COUNTS are over columns that every summary has, LEAVES over two that not every summary has.
COUNTS = {
    "rows": "count(*)", "times": "sum(t_ms)", "users": "count(DISTINCT \"user\")", "names": "count(DISTINCT name)", "numbered": "sum(seq)",
    "ids": "count(DISTINCT id)", "meta": "count(type)", "rests": "count(props_rest)",
}
LEAVES = {"prices": ("props_price_number", "sum({})"), "skus": ("props_sku_text", "count(DISTINCT {})")}


# MARK: Hostile files


def hostile_lines(dice: random.Random, number: int, count: int) -> list[str]:
    """Lines whose properties have other types in each file."""
    lines = []
    for place in range(count):
        props: dict[str, Any] = {"sku": dice.choice(["A1", "Ü", "a1"]), "price": [9.5, 7, "8", None, [1], {"x": 1}][(number + place // 50) % 6]}
        if place % 3 == 0:
            props["price"] = dice.randrange(1000) / 4
        if place % 7 == 0:
            props["größe"] = {"Länge": dice.random(), "länge": place, "": True}
        if place % 11 == 0:
            props["nested"] = {"a": {"b": {"c": {"d": place}}}, "empty": {}, "list": [{"z": 1}]}
        if place % 13 == 0:
            props[dice.choice("abcdefgh")] = dice.choice([1, 1.5, "t", True, None, 1e300, -(2**53)])
        event = {
            "v": 1, "t_ms": 1_767_225_600_000 + place * 7, "name": dice.choice(["gesehen", "käuflich", "買", "a\u0000b", 'q"uote']),
            "user": dice.choice([None, "", "ü", "u1", "a-2"]), "session": f"s{place % 9}", "seq": place // 9 + 1, "id": f"{number}-{place}",
        }
        event = {key: value for key, value in event.items() if value is not None}
        lines.append(json.dumps({**event, "props": props}, ensure_ascii=place % 2 == 0, separators=(",", ":")))
        if place % 17 == 0:
            lines.append(f'{{"props":{{"price":{dice.choice(["1e2", "10.0", "0.10", "-0", "12345678901234567890"])}}}, "t_ms":5, "name":"odd"}}')
        if place % 19 == 0:
            lines.append('{"v":1,"t_ms":6,"name":"session_started","session":"s1","type":"meta","props":{"app":"x"}}')
        if place % 23 == 0:
            lines += ["no line", '{"v":2,"t_ms":1,"name":"later"}', '{"v":1,"t_ms":6,"name":"timing","type":"timing","props":{"x":1}}']
    return lines + lines[:3]


def write_blocked(path: str, lines: list[str]) -> None:
    with open(path, "wb") as file:
        raw = b""
        for line in lines:
            text = line.encode() + b"\n"
            # A line may be longer than a member. Then several members hold it.
            while len(raw) + len(text) > 65_280:
                room = 65_280 - len(raw) if len(text) > 65_280 or not raw else 0
                raw, text = raw + text[:room], text[room:]
                file.write(speed.member(raw))
                raw = b""
            raw += text
        if raw:
            file.write(speed.member(raw))
        file.write(END_MEMBER)


def write_hostile(folder: str, seed: int) -> None:
    dice = random.Random(seed)
    for number in range(6):
        write_blocked(os.path.join(folder, f"drift-{number}.ndjson.gz"), hostile_lines(dice, number, 400))
    many = [json.dumps({"t_ms": n, "name": "many", "props": {f"key {n} {k}": k for k in range(100)}}) for n in range(100)]
    write_blocked(os.path.join(folder, "keys.ndjson.gz"), many)
    write_blocked(os.path.join(folder, "empty.ndjson.gz"), [])
    write_blocked(os.path.join(folder, "nothing-good.ndjson.gz"), ["x", "{}", '{"v":1,"t_ms":6,"name":"timing","type":"timing"}'])


# MARK: What the lines hold


def lines_of(path: str) -> list[dict[str, Any]]:
    """The events and meta lines of a file, as Python reads them. Numbers keep their spelling."""
    found = []
    with gzip.open(path, "rb") as file:
        for line in file:
            try:
                event = json.loads(line, parse_int=Spelled, parse_float=Spelled)
            except ValueError:
                continue
            if not isinstance(event, dict) or "t_ms" not in event or "name" not in event:
                continue
            if int(event.get("v", "1")) > 1 or event.get("type") == "timing":
                continue
            found.append(event)
    return found


class Spelled(str):
    """A number as the line spells it."""


def printed(value: Any) -> Any:
    """A column's value as the line would spell it."""
    if isinstance(value, bool) or isinstance(value, str):
        return value
    return Spelled(value) if isinstance(value, int) else Spelled(swift_double(value))


def swift_double(value: float) -> str:
    """A number as Swift prints it. Like Python, Swift prints the fewest digits that read back equal."""
    text = repr(value)
    if "e" in text:
        digits, exponent = text.split("e")
        return f"{digits}{'' if '.' in digits else '.0'}e{exponent[0]}{exponent[1:].zfill(2)}" if "." in digits else f"{digits}e{exponent}"
    return text


def unescaped(column: str) -> tuple[list[str], str]:
    path, kind = column.removeprefix("props_").rsplit("_", 1)
    keys = []
    for level in path.split("$_"):
        raw, place = bytearray(), 0
        while place < len(level):
            if level[place] == "$":
                raw.append(int(level[place + 1:place + 3], 16))
                place += 3
            else:
                raw += level[place].encode()
                place += 1
        keys.append(raw.decode())
    return keys, kind


def merged(into: dict[str, Any], path: list[str], value: Any) -> None:
    for key in path[:-1]:
        into = into.setdefault(key, {})
    into[path[-1]] = value


def check_rows(checks: Checks, path: str) -> None:
    """Compares a summary with its lines, row by row."""
    table = module("pyarrow.parquet").parquet.read_table(path + ENDING, page_checksum_verification=True)
    rows, events = table.to_pylist(), lines_of(path)
    name = os.path.basename(path)
    if not checks.equal(f"{name}: rows", len(rows), len(events)):
        return
    leaves = {column: unescaped(column) for column in table.column_names if column.startswith("props_") and column != "props_rest"}
    checks.that(f"{name}: at most 256 columns of properties", len(leaves) <= 256, f"{len(leaves)}")
    checks.that(f"{name}: names of columns differ without case", len({column.lower() for column in table.column_names}) == len(table.column_names))
    for number, (row, event) in enumerate(zip(rows, events)):
        head = {key: event.get(key) for key in ("name", "user", "session", "id", "type", "system")}
        head |= {key: int(event[key]) if event.get(key) is not None else None for key in ("v", "t_ms", "seq")}
        got = {key: row[key] for key in head}
        rest = json.loads(row["props_rest"], parse_int=Spelled, parse_float=Spelled) if row["props_rest"] is not None else {}
        for column, (keys, kind) in leaves.items():
            if row[column] is not None:
                checks.that(f"{name}, row {number}: kind of {column}", isinstance(row[column], KINDS[kind])) if number < 50 else None
                merged(rest, keys, printed(row[column]))
        if got != head or rest != (event.get("props") or {}):
            checks.that(f"{name}, row {number}", False, f"got {got} {rest}, the line has {head} {event.get('props')}")
            return
    checks.that(f"{name}: each row is its line", True)


# MARK: Engines


def sql_of(columns: set[str]) -> str:
    """A query for one row with every answer, except those over missing columns."""
    asked = [f"{what} AS {name}" for name, what in COUNTS.items()]
    asked += [f"{what.format(column)} AS {name}" for name, (column, what) in LEAVES.items() if column in columns]
    return "SELECT " + ", ".join(asked)


def by_duckdb(pattern: str, columns: set[str]) -> dict[str, Any]:
    connection = module("duckdb").connect()
    connection.execute(f"{sql_of(columns)} FROM read_parquet('{pattern}', union_by_name = true)")
    names = [one[0] for one in connection.description]
    return dict(zip(names, connection.fetchall()[0]))


def by_clickhouse(pattern: str, columns: set[str]) -> dict[str, Any]:
    answer = module("chdb").query(
        f"{sql_of(columns)} FROM file('{pattern}', 'Parquet') SETTINGS schema_inference_mode = 'union', output_format_json_quote_64bit_integers = 0",
        "JSONEachRow")
    return json.loads(str(answer))


def by_polars(pattern: str, columns: set[str]) -> dict[str, Any]:
    polars = module("polars")
    needed = {"t_ms": polars.Int64, "user": polars.String, "name": polars.String, "seq": polars.Int64, "id": polars.String, "type": polars.String,
              "props_rest": polars.String}
    if "props_price_number" in columns:
        needed["props_price_number"] = polars.Float64
    if "props_sku_text" in columns:
        needed["props_sku_text"] = polars.String
    frame = polars.scan_parquet(pattern, schema=needed, missing_columns="insert", extra_columns="ignore").collect()
    answer = {
        "rows": frame.height, "times": frame["t_ms"].sum(), "users": frame["user"].drop_nulls().n_unique(), "names": frame["name"].n_unique(),
        "numbered": frame["seq"].sum(), "ids": frame["id"].drop_nulls().n_unique(), "meta": frame["type"].count(),
        "rests": frame["props_rest"].count(),
    }
    if "props_price_number" in columns:
        answer["prices"] = frame["props_price_number"].sum()
    if "props_sku_text" in columns:
        answer["skus"] = frame["props_sku_text"].drop_nulls().n_unique()
    return answer


def by_spark(vectorised: bool) -> Callable[[str, set[str]], dict[str, Any]]:
    def ask(pattern: str, columns: set[str]) -> dict[str, Any]:
        session = module("pyspark.sql").sql.SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
        session.sparkContext.setLogLevel("ERROR")
        session.conf.set("spark.sql.parquet.enableVectorizedReader", str(vectorised).lower())
        session.read.option("mergeSchema", "true").parquet(pattern).createOrReplaceTempView("summaries")
        return session.sql(sql_of(columns).replace('"user"', "user") + " FROM summaries").first().asDict()
    return ask


def by_pyarrow(paths: list[str]) -> tuple[dict[str, Any], set[str]]:
    """The answers with which those of the engines are compared, and the names of the columns."""
    parquet = module("pyarrow.parquet").parquet
    answer: dict[str, Any] = {"rows": 0, "times": 0, "numbered": 0, "meta": 0, "rests": 0, "prices": 0.0}
    users, names, ids, skus, columns = set(), set(), set(), set(), set()
    for path in paths:
        table = parquet.read_table(path)
        columns |= set(table.column_names)
        answer["rows"] += table.num_rows
        for name, column in (("times", "t_ms"), ("numbered", "seq"), ("prices", "props_price_number")):
            if column in table.column_names:
                answer[name] += sum(one for one in table[column].to_pylist() if one is not None)
        for name, column in (("meta", "type"), ("rests", "props_rest")):
            answer[name] += table.num_rows - table[column].null_count
        for found, column in ((users, "user"), (names, "name"), (ids, "id"), (skus, "props_sku_text")):
            if column in table.column_names:
                found |= {one for one in table[column].to_pylist() if one is not None}
    answer |= {"users": len(users), "names": len(names), "ids": len(ids), "skus": len(skus)}
    for name, (column, _) in LEAVES.items():
        if column not in columns:
            del answer[name]
    return answer, columns


def is_same(got: Any, wanted: Any) -> bool:
    # The sum of no values is null in some engines and 0 in others.
    if got is None or wanted is None:
        return (got or 0) == (wanted or 0)
    return math.isclose(got, wanted, rel_tol=1e-9) if isinstance(wanted, float) or isinstance(got, float) else got == wanted


def check_engines(checks: Checks, folder: str, engines: dict[str, Callable[[str, set[str]], dict[str, Any]]]) -> None:
    summaries = event_files(folder, ENDING)
    asked = [(os.path.basename(path), path, [path]) for path in summaries]
    asked.append(("all at once", os.path.join(folder, "*" + ENDING), summaries))
    for title, pattern, paths in asked:
        wanted, columns = by_pyarrow(paths)
        for name, ask in engines.items():
            try:
                got = ask(pattern, columns)
            except Exception as error:  # Any error of an engine is a finding.
                checks.that(f"{name} reads {title}", False, str(error)[:500])
                continue
            differing = {key: (got.get(key), value) for key, value in wanted.items() if not is_same(got.get(key), value)}
            checks.that(f"{name}, {title}", not differing, f"got and wanted: {differing}")


def check_folder(checks: Checks, looptrail: Looptrail, folder: str, title: str, asked: argparse.Namespace, engines: dict[str, Any]) -> None:
    report = looptrail.json("index", folder)
    files = event_files(folder)
    checks.equal(f"{title}: summaries made", report["totals"]["made"], len(files))
    checks.equal(f"{title}: kept the second time", looptrail.json("index", folder)["totals"]["kept"], len(files))
    for path in files:
        check_rows(checks, path)
    check_engines(checks, folder, engines)
    totals = report["totals"]
    print(f"{title}: {len(files)} files, {totals['bytes']:,} bytes, their summaries {totals['summary_bytes']:,} "
          f"({totals['summary_bytes'] / max(totals['bytes'], 1):.2f})", flush=True)


def check_answers(checks: Checks, looptrail: Looptrail, folder: str, commands: list[list[str]]) -> None:
    """Checks that the command answers the same from summaries and from lines."""
    for command in commands:
        name, *rest = command
        # The command's own operand, if any, comes before the folder.
        own = 1 if rest and not rest[0].startswith("--") else 0
        got, wanted = (
            looptrail.run(name, *rest[:own], folder, *rest[own:], "--format", "json", *more) for more in ([], ["--no-index"]))
        checks.equal(f"{' '.join(command)}: exit", (got.returncode, got.stderr), (wanted.returncode, wanted.stderr))
        checks.that(f"{' '.join(command)} from summaries as from lines", got.stdout == wanted.stdout and got.stdout)


def check_spoilt(checks: Checks, looptrail: Looptrail, folder: str, dice: random.Random, rounds: int) -> None:
    """Checks that a spoilt summary changes no answer, and that `check` names it."""
    commands = [["funnel", "--steps", "cart_added[price>=20] > payment_succeeded"], ["events"], ["props", "cart_added"]]
    wanted = [looptrail.run(*command, folder, "--format", "json", "--no-index").stdout for command in commands]
    whole = {path: open(path, "rb").read() for path in event_files(folder, ENDING)}
    paths = sorted(whole)
    for number in range(rounds):
        spoilt = dice.choice(paths)
        content = bytearray(whole[spoilt])
        kind = ["a flipped bit", "cut", "another file's", "bytes behind it", "zeros inside", "an empty file", "no Parquet"][number % 7]
        if kind == "a flipped bit":
            content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
        elif kind == "cut":
            del content[dice.randrange(len(content)):]
        elif kind == "another file's":
            content = bytearray(whole[dice.choice([path for path in paths if path != spoilt] or paths)])
        elif kind == "bytes behind it":
            content += dice.randbytes(dice.randrange(1, 40))
        elif kind == "zeros inside":
            place = dice.randrange(len(content))
            content[place:place + 64] = bytes(len(content[place:place + 64]))
        else:
            content = bytearray() if kind == "an empty file" else bytearray(b"PAR1" + dice.randbytes(200) + b"PAR1")
        with open(spoilt, "wb") as file:
            file.write(content)
        for command, lines in zip(commands, wanted):
            got = looptrail.run(*command, folder, "--format", "json")
            checks.that(f"spoilt {number}, {kind}: {command[0]}", (got.returncode, got.stdout) == (0, lines), got.stderr[-300:])
        if content != whole[spoilt]:
            useless = [one["path"] for one in looptrail.json("check", folder)["useless_summaries"]]
            checks.equal(f"spoilt {number}, {kind}: named by check", useless, [spoilt])
        with open(spoilt, "wb") as file:
            file.write(whole[spoilt])


def main() -> None:
    parser = arguments(__doc__.splitlines()[0], seed=1)
    parser.add_argument("--spoilt", type=int, default=28, help="how many times a summary is spoilt")
    parser.add_argument("--spark", action="store_true", help="ask Spark, too")
    parser.add_argument("--events", type=int, default=60_000, help="how many are generated")
    asked = parser.parse_args()
    checks, looptrail = Checks(asked.allow_missing), Looptrail(asked.binary)
    engines: dict[str, Any] = {}
    for name, package, ask in (("DuckDB", "duckdb", by_duckdb), ("ClickHouse", "chdb", by_clickhouse), ("Polars", "polars", by_polars)):
        if module(package):
            engines[name] = ask
        else:
            checks.missing(name, f"pip install {package}")
    if asked.spark:
        if module("pyspark"):
            engines |= {"Spark": by_spark(True), "Spark without vectors": by_spark(False)}
        else:
            checks.missing("Spark", "pip install pyspark")
    if not module("pyarrow"):
        checks.missing("pyarrow", "pip install pyarrow")
        checks.close()

    with tempfile.TemporaryDirectory() as scratch:
        demo, generated, hostile = (os.path.join(scratch, name) for name in ("demo", "generated", "hostile"))
        os.mkdir(generated)
        os.mkdir(hostile)
        if not checks.equal("the demo's exit", looptrail.run("demo", demo, "--quiet").returncode, 0):
            checks.close()
        events = os.path.join(demo, "events")
        check_folder(checks, looptrail, events, "demo", asked, engines)
        steps = "catalog_viewed > product_viewed > cart_added > checkout_started > payment_succeeded"
        check_answers(checks, looptrail, events, [
            ["funnel", "--steps", steps], ["funnel", "--steps", "product_viewed[price>=50] > cart_added", "--breakdown", "props.sku"],
            ["funnel", "--steps", "cart_added > *", "--by", "session", "--order", "strict"], ["trend", "--steps", steps, "--every", "day"],
            ["paths", "--from", "cart_added"], ["props", "cart_added"], ["users", "--steps", steps, "--step", "3"], ["events"],
            ["retention", "--start", "cart_added", "--return", "catalog_viewed"], ["why", "--steps", steps], ["props", "--session"],
            ["funnel", "--steps", steps, "--breakdown", "session.platform"], ["funnel", "--steps", "cart_added[pric>1] > payment_succeeded"],
            ["funnel", "--steps", steps, "--exclude", "!order_placed", "--strict"],
        ])
        check_spoilt(checks, looptrail, events, random.Random(asked.seed), asked.spoilt)
        speed.write_events(generated, asked.events, 3, asked.seed)
        check_folder(checks, looptrail, generated, "generated", asked, engines)
        write_hostile(hostile, asked.seed)
        check_folder(checks, looptrail, hostile, "hostile", asked, engines)
        check_answers(checks, looptrail, hostile, [
            ["funnel", "--steps", "gesehen[price>=5] > 買[größe.länge>3]?  > käuflich"], ["events"], ["props", "gesehen"], ["props", "many"],
            ["paths", "--from", "gesehen", "--by", "session"],
        ])
    checks.close()


if __name__ == "__main__":
    main()
