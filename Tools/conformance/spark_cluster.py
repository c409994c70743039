#!/usr/bin/env python3
"""Dashboards/spark/funnel.py on a standalone cluster, a master and two workers on this machine, gives the JSON of one pass, byte by byte.
Tries every public case, seeded random definitions over several files, the demo, and the demo again while a worker is killed.

    swift build -c release --product looptrail && Tools/conformance/spark_cluster.py [--cases 20]
"""

import glob
import importlib.util
import os
import random
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
import types

from harness import ROOT, Checks, Looptrail, arguments, module, tool
from partials import spread, with_more
from sql_dialects import public_cases, random_events, random_flags

CHECKOUT = ["--steps", "catalog_viewed > product_viewed > cart_added > checkout_started > payment_succeeded", "--window", "1h"]


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """A master and two workers of one core each, as processes of their own."""

    def __init__(self, folder: str):
        import pyspark

        self.folder, self.port = folder, free_port()
        self.home = os.path.dirname(pyspark.__file__)
        self.url = f"spark://127.0.0.1:{self.port}"
        self.processes = [self.start("master.Master", "--host", "127.0.0.1", "--port", str(self.port), "--webui-port", "0")]
        self.wait_for_master()
        for number in range(2):
            work = os.path.join(folder, f"work-{number}")
            self.processes.append(
                self.start("worker.Worker", self.url, "--host", "127.0.0.1", "-c", "1", "-m", "1g", "-d", work, "--webui-port", "0"))

    def start(self, name: str, *words: str) -> subprocess.Popen:
        environment = dict(os.environ, SPARK_HOME=self.home, SPARK_LOCAL_IP="127.0.0.1", PYSPARK_PYTHON=sys.executable)
        with open(os.path.join(self.folder, "cluster.log"), "ab") as log:
            return subprocess.Popen(
                [os.path.join(self.home, "bin", "spark-class"), f"org.apache.spark.deploy.{name}", *words], env=environment, stdout=log,
                stderr=log, stdin=subprocess.DEVNULL)

    def wait_for_master(self) -> None:
        end = time.monotonic() + 120
        while time.monotonic() < end:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.2)
        raise RuntimeError("the master does not answer")

    def kill_worker(self) -> None:
        # The worker's executor ends with it.
        self.processes[1].kill()

    def close(self) -> None:
        for process in self.processes:
            process.kill()
            process.wait()


def job() -> types.ModuleType:
    spec = importlib.util.spec_from_file_location("spark_funnel", os.path.join(ROOT, "Dashboards/spark/funnel.py"))
    assert spec and spec.loader
    script = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(script)
    return script


def check(checks: Checks, looptrail: Looptrail, context: object, title: str, paths: list[str], flags: list[str], parts: int) -> None:
    whole = looptrail.run("funnel", *paths, *flags, "--format", "json", "--quiet")
    if whole.returncode == 2:
        return
    start = time.monotonic()
    try:
        got = job().funnel(context, looptrail.binary, paths, flags, parts, ["--format", "json", "--quiet"])[0].decode()
    except Exception as error:  # Any error of Spark is a finding.
        checks.that(title, False, str(error)[-1500:])
        return
    checks.that(title, got == whole.stdout, f"got {got}, wanted {whole.stdout}")
    print(f"{title}: {time.monotonic() - start:.1f} s", flush=True)


def check_killed(checks: Checks, looptrail: Looptrail, context: object, cluster: Cluster, folder: str) -> None:
    """Kills a worker once some tasks of the split are done."""
    tracker, killed = context.statusTracker(), threading.Event()  # type: ignore[attr-defined]
    stopped = threading.Event()

    def watch() -> None:
        before = set(tracker.getJobIdsForGroup())
        while not stopped.is_set():
            # Waits for the second job, which splits. The first makes the contexts.
            stages = [tracker.getStageInfo(stage) for stage in tracker.getActiveStageIds()]
            if len(set(tracker.getJobIdsForGroup()) - before) > 1 and any(stage and stage.numCompletedTasks >= 3 for stage in stages):
                cluster.kill_worker()
                killed.set()
                return
            time.sleep(0.02)

    watcher = threading.Thread(target=watch)
    watcher.start()
    check(checks, looptrail, context, "the demo, a worker killed half-way", [folder], CHECKOUT, 16)
    stopped.set()
    watcher.join()
    checks.that("the worker was killed while the job ran", killed.is_set() and cluster.processes[1].wait(10) is not None)


def main() -> None:
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--cases", type=int, default=20, help="how many random definitions")
    options = parser.parse_args()
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    if not module("pyspark") or not tool("java"):
        checks.missing("Spark", "pip install pyspark, and Java 17")
        checks.close()
    from pyspark import SparkConf, SparkContext

    with tempfile.TemporaryDirectory() as scratch:
        cluster = Cluster(scratch)
        try:
            settings = {
                "spark.driver.host": "127.0.0.1", "spark.driver.bindAddress": "127.0.0.1", "spark.ui.enabled": "false",
                "spark.ui.showConsoleProgress": "false", "spark.executor.memory": "512m", "spark.local.dir": scratch,
            }
            context = SparkContext(conf=SparkConf().setMaster(cluster.url).setAppName("Looptrail").setAll(list(settings.items())))
            context.setLogLevel("OFF")
            # The job must not depend on the name of the binary.
            looptrail.binary = shutil.copy(looptrail.binary, os.path.join(scratch, "looptrail-static"))
            demo = os.path.join(scratch, "demo")
            looptrail.run("demo", demo)
            events = looptrail.json("events", demo + "/events")["input"]["events"]
            for parts in (1, 2, 8):
                start = time.monotonic()
                check(checks, looptrail, context, f"the demo in {parts} parts", [demo + "/events"], CHECKOUT, parts)
                print(f"{parts} parts: {events / (time.monotonic() - start):,.0f} events/s", flush=True)
            cases = public_cases(scratch)
            for place in range(options.cases):
                dice = random.Random(f"cluster {options.seed} {place}")
                path = os.path.join(scratch, f"random-{place}.ndjson")
                cases.append((f"case {place} of seed {options.seed}", with_more(dice, random_flags(dice, random_events(dice, path))), path))
            for number, (title, flags, path) in enumerate(cases):
                dice = random.Random(f"spread {options.seed} {number}")
                paths = spread(dice, path, os.path.join(scratch, f"case-{number}"))
                check(checks, looptrail, context, f"{title}: {' '.join(flags)}", paths, flags, dice.randint(1, 4))
            # This comes last, because it leaves only one worker.
            many = os.path.join(scratch, "many")
            os.mkdir(many)
            for number in range(5):
                for path in glob.glob(demo + "/events/*.ndjson.gz"):
                    shutil.copy(path, os.path.join(many, f"{number}-{os.path.basename(path)}"))
            check_killed(checks, looptrail, context, cluster, many)
            context.stop()
        finally:
            cluster.close()
    checks.close()


if __name__ == "__main__":
    main()
