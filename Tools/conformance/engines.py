"""The engines that must read what the product writes, and count as it counts."""

import gzip
import subprocess

from harness import module, tool


class Engine:
    """A tool that counts the lines of event files. `lines` gets paths or one glob."""

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
    # The very thing a user types: the columns are inferred, and one odd value would reject the file.
    return module("duckdb").sql(f"SELECT count(*) FROM (SELECT * FROM '{path}')").fetchall()[0][0]


def clickhouse(query):
    return str(module("chdb").query(query, "TSV")).strip()


def _clickhouse(path):
    # Every column is read, with the schema that ClickHouse infers.
    return int(clickhouse(f"SELECT count() FROM (SELECT * FROM file('{path}', 'JSONEachRow')) WHERE NOT ignore(*)"))


ENGINES = [
    Engine("bgzip", "apt-get install tabix", lambda: tool("bgzip"), _bgzip),
    Engine("htsfile", "apt-get install tabix", lambda: tool("htsfile"), _htsfile),
    Engine("zcat", "install gzip", lambda: tool("zcat"), lambda path: _output("zcat", path).count(b"\n")),
    Engine("Python gzip", "", lambda: True, _python),
    Engine("DuckDB", "pip install duckdb", lambda: module("duckdb"), _duckdb, takes_glob=True),
    Engine("ClickHouse", "pip install chdb", lambda: module("chdb"), _clickhouse, takes_glob=True),
]


def window_funnel(source, steps, window_ms, key="user"):
    """The counts of an ordered funnel by ClickHouse's windowFunnel, whose window is inclusive too.

    It takes unsigned numbers as times, in whatever unit the window has. `source` is a table expression with the columns
    t_ms, name and the key. Without a mode it agrees with the product's definition where the steps' names are distinct:
    it also lets a later start replace an earlier one, and sorts events of one time by step.
    """
    conditions = ", ".join(f"name = '{step}'" for step in steps)
    query = f"""
        SELECT level, count() FROM (
            SELECT {key} AS k, windowFunnel({window_ms})(toUInt64(t_ms), {conditions}) AS level FROM {source} GROUP BY k
        ) GROUP BY level"""
    levels = {}
    for row in filter(None, clickhouse(query).split("\n")):
        level, count = row.split("\t")
        levels[int(level)] = int(count)
    return [sum(count for level, count in levels.items() if level > step) for step in range(len(steps))]


def event_source(pattern):
    """Event files as a table of ClickHouse: events only, one for each id."""
    structure = "t_ms Int64, name String, user Nullable(String), type Nullable(String), id String"
    return f"""(
        SELECT t_ms, name, user FROM file('{pattern}', 'JSONEachRow', '{structure}')
        WHERE type IS NULL AND user IS NOT NULL LIMIT 1 BY id
    )"""
