#!/usr/bin/env python3
"""The funnel beside ClickHouse's windowFunnel over the same files, on as many threads, in one run: processor time, wall time and memory.

Nothing fails for being slow: machines differ and are shared. Two things are compared, each in a process of its own, in turns; the
medians and their ratios are printed. `--target` makes a missed target the exit status, for a quiet machine.
"""

import argparse
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time

from harness import ROOT

STEPS = ["catalog_viewed", "product_viewed", "cart_added", "checkout_started", "payment_succeeded"]
WINDOW_SECONDS = 3600
# What `looptrail funnel` does by default and windowFunnel leaves to the query: events with one id count once.
QUERY = """
SELECT {counts} FROM (
  SELECT user, windowFunnel({window})(t_ms, {conditions}) AS level FROM (
    SELECT user, t_ms, name FROM file('{files}', 'JSONEachRow', 'user String, t_ms UInt64, name String, id String')
    WHERE name IN ({names}) {distinct}
  ) GROUP BY user
) SETTINGS max_threads = {threads}
"""
CLICKHOUSE = """
import sys, chdb
print(str(chdb.query(sys.argv[1], "JSONCompactEachRow")).strip())
"""


def measured(command):
    """What a command said, and its processor seconds, wall seconds and most memory in MB."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    said = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    return said, used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1024


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folder", help="event files, such as eight of gzip with 2,000,000 events together")
    arguments.add_argument("--binary", default=os.path.join(ROOT, ".build/release/looptrail"), help="the looptrail command to measure")
    arguments.add_argument("--threads", type=int, default=os.cpu_count())
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--distinct", action="store_true", help="let ClickHouse count each id once, too, as looptrail does")
    arguments.add_argument("--target", action="store_true", help="exit with 1 if a target is missed")
    asked = arguments.parse_args()
    # Not imported here: a child's most memory is at least its parent's when it began.
    if importlib.util.find_spec("chdb") is None:
        sys.exit("chdb is missing: pip install chdb")

    names = ", ".join(f"'{name}'" for name in STEPS)
    query = QUERY.format(
        counts=", ".join(f"countIf(level >= {step + 1})" for step in range(len(STEPS))), window=WINDOW_SECONDS * 1000, conditions=", ".join(f"name = '{name}'" for name in STEPS), names=names,
        files=os.path.join(asked.folder, "*.gz"), distinct="LIMIT 1 BY id" if asked.distinct else "", threads=asked.threads)
    commands = {
        "looptrail": [
            asked.binary, "funnel", asked.folder, "--steps", " > ".join(STEPS), "--window", f"{WINDOW_SECONDS}s", "--format", "json",
            "--threads", str(asked.threads), "--quiet",
        ],
        "ClickHouse": [sys.executable, "-c", CLICKHOUSE, query],
    }
    counts, figures = {}, {name: [] for name in commands}
    # One round before, so that the files are in memory for both.
    for round_number in range(asked.rounds + 1):
        for name, command in commands.items():
            said, *used = measured(command)
            found = json.loads(said)
            counts[name] = [step["count"] for step in found["steps"]] if name == "looptrail" else [int(count) for count in found]
            if round_number > 0:
                figures[name].append(used)
    if counts["looptrail"] != counts["ClickHouse"]:
        sys.exit(f"different counts: {counts}")

    medians = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in figures.items()}
    print(f"{'':12}{'processor s':>12}{'wall s':>10}{'memory MB':>11}")
    for name, (processor, wall, memory) in medians.items():
        print(f"{name:12}{processor:12.2f}{wall:10.2f}{memory:11.0f}")
    ours, theirs = medians["looptrail"], medians["ClickHouse"]
    targets = [
        ("processor time", ours[0] / theirs[0], 0.5), ("wall time", ours[1] / theirs[1], 1.0), ("memory, MB", ours[2], 150.0)]
    for name, value, target in targets:
        print(f"{name}: {value:.2f}, target {target:g} {'met' if value <= target else 'missed'}")
    print(f"counts of both: {counts['looptrail']}")
    if asked.target and any(value > target for _, value, target in targets):
        sys.exit(1)


main()
