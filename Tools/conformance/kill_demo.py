#!/usr/bin/env python3
"""A demo killed at any moment leaves files whose whole members are sound, and the next run recovers what is left.

    swift build -c release --product looptrail && Tools/conformance/kill_demo.py --rounds 5
"""

import json
import os
import random
import tempfile
import time

from bgzf import END_MEMBER, members
from harness import Checks, Looptrail, arguments, event_files


def ids_of_whole_members(checks: Checks, folder: str) -> set[str]:
    """The ids of all lines in sound members. An unsound member fails a check, but the cut end of an open file may be unsound."""
    ids = set()
    for path in event_files(folder) + event_files(folder, ".open"):
        name = os.path.basename(path)
        with open(path, "rb") as file:
            data = file.read()
        if not path.endswith(".open"):
            checks.that(f"{name} ends with the end member", data.endswith(END_MEMBER))
        try:
            for _, raw in members(data):
                ids.update(json.loads(line)["id"] for line in raw.splitlines())
            checks.that(f"{name} is sound", True)
        except ValueError as error:
            checks.that(f"{name} is sound", False, str(error))
    return ids


def main() -> None:
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    print(f"seed {options.seed}", flush=True)
    moments = random.Random(options.seed)
    with tempfile.TemporaryDirectory() as scratch:
        start = time.monotonic()
        done = looptrail.run("demo", os.path.join(scratch, "whole"))
        checks.that("looptrail demo", done.returncode == 0, f"exit {done.returncode}: {done.stderr[-500:]}")
        usual = time.monotonic() - start
        orphans = 0
        print(f"{'round':>5}{'killed in':>14}{'was running':>13}{'ids found':>11}{'ids at last':>13}", flush=True)
        for number in range(1, options.rounds + 1):
            demo = os.path.join(scratch, f"round{number}")
            if number == 1:
                files, size = moments.randrange(0, 5), moments.randrange(1, 100_000)
                when = f"file {files + 1}"
                running = looptrail.demo_killed_while_writing(demo, files, size)
            else:
                after = moments.uniform(0.02, usual * 0.9)
                when = f"{after:.2f} s"
                running = looptrail.killed_demo(demo, after)
            events = os.path.join(demo, "events")
            orphans += len(event_files(events, ".open"))
            before = ids_of_whole_members(checks, events)
            done = looptrail.run("demo", demo)
            checks.that(f"round {number}: the demo runs again", done.returncode == 0, f"exit {done.returncode}: {done.stderr[-500:]}")
            checks.equal(f"round {number}: files left open", event_files(events, ".open"), [])
            afterwards = ids_of_whole_members(checks, events)
            checks.that(f"round {number}: nothing whole is lost", before <= afterwards, f"{len(before - afterwards)} lines are gone")
            done = looptrail.run("check", events)
            checks.that(f"round {number}: looptrail check", done.returncode == 0, f"exit {done.returncode}: {(done.stdout + done.stderr)[-500:]}")
            print(f"{number:>5}{when:>14}{'yes' if running else 'no':>13}{len(before):>11}{len(afterwards):>13}", flush=True)
        # Without this check, demos that all ended before the kill would pass.
        checks.that("some demo was killed with a file open", orphans > 0)
    checks.close()


if __name__ == "__main__":
    main()
