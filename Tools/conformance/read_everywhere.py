#!/usr/bin/env python3
"""Every engine reads every sealed file of `looptrail demo` with the same number of lines, and ClickHouse counts the same funnels. Every
engine also reads every file that `looptrail repair` makes of demos that were killed at random moments and spoiled.

    swift build -c release --product looptrail && Tools/conformance/read_everywhere.py --killed 2
"""

import os
import random
import tempfile
import time

from engines import ENGINES, Engine, event_source, window_funnel
from harness import Checks, Looptrail, arguments, event_files, module

FUNNELS = [
    (["catalog_viewed", "product_viewed", "cart_added", "checkout_started", "payment_succeeded"], "1h", 3_600_000),
    (["product_viewed", "cart_added", "payment_succeeded"], "7d", 604_800_000),
    (["cart_added", "cart_viewed", "checkout_started"], "90s", 90_000),
    (["checkout_started", "payment_failed", "payment_succeeded"], "1d", 86_400_000),
    (["payment_succeeded", "catalog_viewed"], "2w", 1_209_600_000),
]


def check_demo(checks: Checks, looptrail: Looptrail, folder: str) -> None:
    checks.equal("files left open", event_files(folder, ".open"), [])
    everything = check_files(checks, looptrail, folder, "sealed")
    checks.that("the demo tracks at least 100,000 events", everything >= 100_000, f"{everything}")


def check_files(checks: Checks, looptrail: Looptrail, folder: str, kind: str) -> int:
    """Lets every engine read each file and all files at once. Returns how many lines there are."""
    files = event_files(folder)
    checks.that(f"there are {kind} files", bool(files), f"none in {folder}")
    wanted = {path: looptrail.lines(path) for path in files}
    everything = looptrail.lines(folder)
    checks.equal("lines of the folder", everything, sum(wanted.values()))
    print(f"\n{len(files)} {kind} files, {everything:,} lines\n\n{'engine':<14}{'files':>7}{'lines':>12}{'seconds':>9}", flush=True)
    for engine in ENGINES:
        if not engine.is_there():
            checks.missing(engine.name, engine.remedy)
            continue
        start, accepted, lines = time.monotonic(), 0, 0
        for path in files:
            try:
                count = engine.lines(path)
            except Exception as error:  # Any error of an engine is a finding.
                checks.that(f"{engine.name} reads {os.path.basename(path)}", False, str(error)[:500])
                continue
            # htsfile gives no count: it only says what kind of file it is.
            if checks.equal(f"{engine.name}, lines of {os.path.basename(path)}", count if count is not None else wanted[path], wanted[path]):
                accepted += 1
                lines += count or 0
        print(f"{engine.name:<14}{accepted:>7}{lines or '':>12}{time.monotonic() - start:>9.1f}", flush=True)
        if engine.takes_glob:
            check_glob(checks, engine, folder, everything)
    return everything


def check_glob(checks: Checks, engine: Engine, folder: str, everything: int) -> None:
    start = time.monotonic()
    try:
        count = engine.lines(os.path.join(folder, "*.ndjson.gz"))
    except Exception as error:
        checks.that(f"{engine.name} reads all files at once", False, str(error)[:500])
        return
    checks.equal(f"{engine.name}, lines of all files at once", count, everything)
    print(f"{engine.name + ', *':<14}{'':>7}{count:>12}{time.monotonic() - start:>9.1f}", flush=True)


def spoil(path: str, chance: random.Random) -> str:
    """Damages a file as disks do: flips a bit, tears bytes out, writes zeros over some, or cuts the end off. Returns what it did."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    if not data:
        return "left as it is, empty"
    place = chance.randrange(len(data))
    kind = chance.choice(["bit flipped", "bytes torn out", "zeros", "cut"])
    if kind == "bit flipped":
        data[place] ^= 1 << chance.randrange(8)
    elif kind == "bytes torn out":
        del data[place : place + 1_000]
    elif kind == "zeros":
        data[place : place + 4_096] = bytes(len(data[place : place + 4_096]))
    else:
        del data[place:]
    with open(path, "wb") as file:
        file.write(data)
    return f"{kind} at byte {place}"


def check_repaired(checks: Checks, looptrail: Looptrail, scratch: str, rounds: int, seed: int, usual: float) -> None:
    chance = random.Random(seed)
    print(f"\nkilled demos, seed {seed}", flush=True)
    orphans = 0
    for number in range(1, rounds + 1):
        demo = os.path.join(scratch, f"killed{number}")
        if number == 1:
            files, size = chance.randrange(1, 5), chance.randrange(1, 100_000)
            when = f"in file {files + 1} with {size:,} bytes"
            running = looptrail.demo_killed_while_writing(demo, files, size)
        else:
            after = chance.uniform(0.2, 0.9) * usual
            when = f"after {after:.2f} s"
            running = looptrail.killed_demo(demo, after)
        events, repaired = os.path.join(demo, "events"), os.path.join(demo, "repaired")
        orphans += len(event_files(events, ".open"))
        # In an even round the demo is only killed, and no file is spoiled.
        what = "not spoiled"
        if number % 2:
            path = chance.choice(event_files(events) + event_files(events, ".open"))
            what = f"{os.path.basename(path)}: {spoil(path, chance)}"
        print(f"round {number}: killed {when}{'' if running else ', too late'}; {what}", flush=True)
        done = looptrail.run("repair", events, "-o", repaired)
        print(done.stderr.strip(), flush=True)
        # Perhaps nothing can be saved of a small file that was spoiled. All other files must become sound.
        empty = done.stderr.count("nothing could be saved")
        checks.that(f"round {number}: looptrail repair", done.returncode == (3 if empty else 0), f"exit {done.returncode}: {done.stdout[-500:]}")
        done = looptrail.run("check", repaired)
        checks.that(f"round {number}: looptrail check of what was repaired", done.returncode == 0, f"exit {done.returncode}: {(done.stdout + done.stderr)[-500:]}")
        check_files(checks, looptrail, repaired, "repaired")
    # Without this check, demos that all ended before the kill would pass.
    checks.that("some demo was killed with a file open", orphans > 0 or rounds == 0)


def check_funnels(checks: Checks, looptrail: Looptrail, folder: str) -> None:
    if not module("chdb"):
        return checks.missing("ClickHouse", "pip install chdb")
    print(f"\n{'funnel':<10}{'looptrail':<50}{'windowFunnel'}", flush=True)
    source = event_source(os.path.join(folder, "*.ndjson.gz"))
    for steps, window, milliseconds in FUNNELS:
        ours = [step["count"] for step in looptrail.json("funnel", folder, "--steps", " > ".join(steps), "--window", window)["steps"]]
        theirs = window_funnel(source, steps, milliseconds)
        print(f"{window:<10}{' '.join(map(str, ours)):<50}{' '.join(map(str, theirs))}", flush=True)
        checks.equal(f"{' > '.join(steps)} within {window}", ours, theirs)
        checks.that(f"{' > '.join(steps)} within {window} is entered", ours[0] > 0)


def main() -> None:
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--killed", type=int, default=2, help="how many demos are killed, spoiled and repaired")
    options = parser.parse_args()
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    with tempfile.TemporaryDirectory() as scratch:
        demo = os.path.join(scratch, "demo")
        start = time.monotonic()
        done = looptrail.run("demo", demo)
        if not checks.that("looptrail demo", done.returncode == 0, f"exit {done.returncode}: {done.stderr[-500:]}"):
            checks.close()
        usual = time.monotonic() - start
        print(f"looptrail demo: {usual:.1f} s", flush=True)
        folder = os.path.join(demo, "events")
        done = looptrail.run("check", folder)
        checks.that("looptrail check", done.returncode == 0, f"exit {done.returncode}: {(done.stdout + done.stderr)[-500:]}")
        check_demo(checks, looptrail, folder)
        check_funnels(checks, looptrail, folder)
        check_repaired(checks, looptrail, scratch, options.killed, options.seed, usual)
    print()
    checks.close()


if __name__ == "__main__":
    main()
