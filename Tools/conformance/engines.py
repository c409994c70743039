"""Engines that must read the files that the product writes, and count as it does."""

import gzip
import subprocess

from harness import module, tool


class Engine:
    """A tool that counts the lines of event files. `lines` takes one path, or a glob if `takes_glob`."""

    def __init__(self, name, remedy, is_there, lines, takes_glob=False):
        self.name, self.remedy, self.is_there, self.lines, self.takes_glob = name, remedy, is_there, lines, takes_glob


def _output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL).stdout


def _bgzip(path):
    _output("bgzip", "--test", path)
    return _output("bgzip", "--decompress", "--stdout", path).count(b"\n")


def _htsfile(path):
    said = _output("htsfile", path).decode()
    if "BGZF-compressed" not in said:
        raise RuntimeError(f"htsfile says: {said.strip()}")
    return None


def _python(path):
    with gzip.open(path, "rb") as file:
        return sum(1 for _ in file)


def _duckdb(path):
    # What a user types. DuckDB infers the columns, and one odd value would make it reject the file.
    return module("duckdb").sql(f"SELECT count(*) FROM (SELECT * FROM '{path}')").fetchall()[0][0]


def clickhouse(query):
    return str(module("chdb").query(query, "TSV")).strip()


def _clickhouse(path):
    # Reads every column, with the schema that ClickHouse infers.
    return int(clickhouse(f"SELECT count() FROM (SELECT * FROM file('{path}', 'JSONEachRow')) WHERE NOT ignore(*)"))


def _polars(path):
    # Infers the schema from all lines, because later lines may have other properties.
    return module("polars").read_ndjson(path, infer_schema_length=None).height


ENGINES = [
    Engine("bgzip", "apt-get install tabix", lambda: tool("bgzip"), _bgzip),
    Engine("htsfile", "apt-get install tabix", lambda: tool("htsfile"), _htsfile),
    Engine("zcat", "install gzip", lambda: tool("zcat"), lambda path: _output("zcat", path).count(b"\n")),
    Engine("Python gzip", "", lambda: True, _python),
    Engine("DuckDB", "pip install duckdb", lambda: module("duckdb"), _duckdb, takes_glob=True),
    Engine("ClickHouse", "pip install chdb", lambda: module("chdb"), _clickhouse, takes_glob=True),
    Engine("Polars", "pip install polars", lambda: module("polars"), _polars, takes_glob=True),
]


MODES = ["strict_deduplication", "strict_order", "strict_increase", "strict_once"]


def window_funnels(funnels):
    """The counts of ordered funnels by ClickHouse's windowFunnel, whose window is inclusive too, in one query.

    Each funnel is a table expression with the columns t_ms, name and the key, its steps as lists of names (empty for any), its
    window in milliseconds, its modes, and the name of the key's column. windowFunnel takes unsigned numbers as times, in the
    unit of the window. Without a mode it agrees with the product's definition if no event fits two steps: it, too, lets a later
    start replace an earlier one, and it sorts events of one time by step, which is the most favourable order.
    """
    parts = []
    for number, (source, steps, window_ms, modes, key) in enumerate(funnels):
        conditions = ", ".join("toUInt8(name IN (%s))" % ", ".join(f"'{name}'" for name in step) if step else "toUInt8(1)" for step in steps)
        options = "".join(f", '{mode}'" for mode in modes)
        parts.append(f"""
            SELECT {number} AS funnel, level, count() AS keys FROM (
                SELECT {key} AS k, windowFunnel({window_ms}{options})(toUInt64(t_ms), {conditions}) AS level FROM {source} GROUP BY k
            ) GROUP BY level""")
    levels = [dict() for _ in funnels]
    for row in filter(None, clickhouse(" UNION ALL ".join(parts)).split("\n")):
        funnel, level, keys = map(int, row.split("\t"))
        levels[funnel][level] = keys
    return [
        [sum(keys for level, keys in found.items() if level > step) for step in range(len(steps))]
        for found, (_, steps, _, _, _) in zip(levels, funnels)
    ]


def window_funnel(source, steps, window_ms, key="user"):
    """The counts of one funnel of named steps, without a mode."""
    return window_funnels([(source, [[step] for step in steps], window_ms, [], key)])[0]


def event_source(pattern):
    """Event files as a table of ClickHouse: events only, one for each id."""
    structure = "t_ms Int64, name String, user Nullable(String), type Nullable(String), id String"
    return f"""(
        SELECT t_ms, name, user FROM file('{pattern}', 'JSONEachRow', '{structure}')
        WHERE type IS NULL AND user IS NOT NULL LIMIT 1 BY id
    )"""
