#!/usr/bin/env python3
"""The engines that Dashboards/ has scripts for, each asked with those very scripts.

As a command it stands for ClickHouse's client: it runs the statements of standard input in the folder that it is given.
"""

import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import time

from harness import ROOT


def dashboards(*path):
    return os.path.join(ROOT, "Dashboards", *path)


def quoted(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def statements(text):
    """What a file holds; a semicolon ends a statement where its line ends."""
    for one in text.split(";\n"):
        if any(line.strip() and not line.lstrip().startswith("--") for line in one.split("\n")):
            yield one


def steps_of(question, depths):
    """From (depth, people that got so far, their median time) to the counts of the steps, and the median of the last."""
    depths = list(depths)
    counts = [sum(people for depth, people, _ in depths if depth > place) for place in range(len(question.names))]
    return counts, next((median for depth, _, median in depths if depth == len(question.names)), None)


class ClickHouse:
    """Today's server, in this process, with the views that were made in a folder."""

    name = "ClickHouse"

    def __init__(self, folder):
        from chdb import session

        self.session = session.Session(folder)

    def run(self, sql):
        return self.session.query(sql)

    def rows(self, sql):
        """The rows as dictionaries."""
        answer = str(self.session.query(sql + " SETTINGS output_format_json_quote_64bit_integers = 0", "JSON"))
        return json.loads(answer)["data"] if answer.strip() else []

    def one(self, sql):
        return next(iter(self.rows(sql)[0].values()))

    def close(self):
        # Sessions of older versions end with their process.
        getattr(self.session, "close", lambda: None)()

    def view(self, name, question):
        """A call of a view with a funnel's parameters."""
        return (f"looptrail.{name}(steps = {quoted(question.steps)}, window_ms = {question.window_ms}, "
                f"since_ms = {question.since_ms}, until_ms = {question.until_ms})")

    def funnel(self, question):
        found = self.rows(f"""SELECT depth, count() AS people, quantileExactInclusive(0.5)(reached_ms - entered_ms) AS median
            FROM {self.view('funnel_people', question)} GROUP BY depth""")
        return steps_of(question, ((row["depth"], row["people"], row["median"]) for row in found))

    def bars(self, question):
        return [tuple(row.values()) for row in self.rows(f"SELECT * FROM {self.view('funnel', question)} ORDER BY index")]

    def levels(self, question):
        found = self.rows(f"SELECT level, count() AS people FROM {self.view('funnel_levels', question)} GROUP BY level")
        return steps_of(question, ((row["level"], row["people"], None) for row in found))[0]


class DuckDB:
    name = "DuckDB"

    def __init__(self, folders):
        import duckdb

        self.connection = duckdb.connect()
        files = ", ".join("'" + os.path.join(folder, "*.ndjson.gz").replace("'", "''") + "'" for folder in folders)
        self.connection.execute(f"SET VARIABLE files = [{files}]")
        with open(dashboards("duckdb", "looptrail.sql"), encoding="utf-8") as file:
            self.connection.execute(file.read())

    @staticmethod
    def arguments(question):
        steps = question.steps.replace("'", "''")
        return f"'{steps}', window_ms := {question.window_ms}, since_ms := {question.since_ms}, until_ms := {question.until_ms}"

    def funnel(self, question):
        found = self.connection.sql(f"""SELECT depth, count(*), quantile_cont(reached_ms - entered_ms, 0.5)
            FROM funnel_people({self.arguments(question)}) GROUP BY depth""")
        return steps_of(question, found.fetchall())

    def bars(self, question):
        return self.connection.sql(f"FROM funnel({self.arguments(question)})").fetchall()


class Spark:
    name = "Spark"

    def __init__(self, folders):
        from pyspark.sql import SparkSession

        spec = importlib.util.spec_from_file_location("spark_funnel", dashboards("spark", "funnel.py"))
        self.script = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(self.script)
        # Files this small want few tasks.
        self.spark = (SparkSession.builder.master("local[2]").config("spark.sql.shuffle.partitions", 2).config("spark.ui.enabled", "false")
                      .config("spark.ui.showConsoleProgress", "false").getOrCreate())
        self.spark.sparkContext.setLogLevel("ERROR")
        # Read once, asked often.
        self.script.read_events(self.spark, *folders).cache().createOrReplaceTempView("tracked")

    def funnel(self, question):
        people = self.script.funnel_people(self.spark, question.names, question.window_ms, question.since_ms, question.until_ms)
        people.createOrReplaceTempView("people")
        return steps_of(question, self.spark.sql("SELECT depth, count(*), median(reached_ms - entered_ms) FROM people GROUP BY depth").collect())


class OldClickHouse:
    """Debian's server of 2018, for as long as the block lasts."""

    def __init__(self, scratch):
        self.folder = os.path.join(scratch, "old")
        os.makedirs(self.folder)
        with socket.socket() as one, socket.socket() as other:
            one.bind(("127.0.0.1", 0))
            other.bind(("127.0.0.1", 0))
            self.port, http = one.getsockname()[1], other.getsockname()[1]
        with open(os.path.join(self.folder, "config.xml"), "w") as file:
            file.write(f"""<yandex>
                <logger><level>warning</level><log>{self.folder}/log</log><errorlog>{self.folder}/errors</errorlog></logger>
                <http_port>{http}</http_port><tcp_port>{self.port}</tcp_port><listen_host>127.0.0.1</listen_host>
                <path>{self.folder}/data/</path><tmp_path>{self.folder}/tmp/</tmp_path><mark_cache_size>67108864</mark_cache_size>
                <users_config>users.xml</users_config><default_profile>default</default_profile>
                <default_database>default</default_database><timezone>UTC</timezone></yandex>""")
        with open(os.path.join(self.folder, "users.xml"), "w") as file:
            file.write("""<yandex><profiles><default/></profiles><quotas><default/></quotas><users><default><password></password>
                <networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota></default></users></yandex>""")
        self.client = ["clickhouse-client", "--host", "127.0.0.1", "--port", str(self.port)]

    def __enter__(self):
        with open(os.path.join(self.folder, "out"), "w") as out:
            self.process = subprocess.Popen(
                ["clickhouse-server", "--config-file", os.path.join(self.folder, "config.xml")], stdout=out, stderr=out, stdin=subprocess.DEVNULL)
        deadline = time.monotonic() + 30
        while True:
            asked = subprocess.run([*self.client, "--query", "SELECT version()"], text=True, capture_output=True)
            if asked.returncode == 0:
                self.version = asked.stdout.strip()
                return self
            if time.monotonic() > deadline or self.process.poll() is not None:
                self.__exit__()
                raise RuntimeError(f"the server does not answer: {asked.stderr}")

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _client(self, *more, **options):
        return subprocess.run([*self.client, *more], text=True, check=True, stdout=subprocess.PIPE, **options).stdout

    def load(self, folders):
        with open(dashboards("clickhouse", "old", "schema.sql"), encoding="utf-8") as file:
            self._client("--multiquery", stdin=file)
        environment = dict(os.environ, CLICKHOUSE=" ".join(self.client))
        subprocess.run([dashboards("clickhouse", "old", "load.sh"), *folders], env=environment, check=True, stdout=subprocess.PIPE)

    def funnel(self):
        with open(dashboards("clickhouse", "old", "funnel.sql"), encoding="utf-8") as file:
            return [int(line.split("\t")[1]) for line in self._client(stdin=file).splitlines()]

    def one(self, sql):
        return int(self._client("--query", sql, stdin=subprocess.DEVNULL))


if __name__ == "__main__":
    server = ClickHouse(sys.argv[1])
    for statement in statements(sys.stdin.read()):
        server.run(statement)
    server.close()
