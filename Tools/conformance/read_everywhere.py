#!/usr/bin/env python3
"""Every engine reads every sealed file of `looptrail demo` with the same number of lines, and counts the same funnel.

    swift build -c release --product looptrail && Tools/conformance/read_everywhere.py
"""

import os
import tempfile
import time

from engines import ENGINES, event_source, window_funnel
from harness import Checks, Looptrail, arguments, event_files, module

FUNNELS = [
    (["catalog_viewed", "product_viewed", "cart_added", "checkout_started", "payment_succeeded"], "1h", 3_600_000),
    (["product_viewed", "cart_added", "payment_succeeded"], "7d", 604_800_000),
    (["cart_added", "cart_viewed", "checkout_started"], "90s", 90_000),
    (["checkout_started", "payment_failed", "payment_succeeded"], "1d", 86_400_000),
    (["payment_succeeded", "catalog_viewed"], "2w", 1_209_600_000),
]


def check_files(checks, looptrail, folder):
    files = event_files(folder)
    checks.that("the demo leaves sealed files", bool(files), f"none in {folder}")
    checks.equal("files left open", event_files(folder, ".open"), [])
    wanted = {path: looptrail.lines(path) for path in files}
    everything = looptrail.lines(folder)
    checks.equal("lines of the folder", everything, sum(wanted.values()))
    checks.that("the demo tracks at least 100,000 events", everything >= 100_000, f"{everything}")
    print(f"\n{len(files)} sealed files, {everything:,} lines\n\n{'engine':<14}{'files':>7}{'lines':>12}{'seconds':>9}", flush=True)
    for engine in ENGINES:
        if not engine.is_there():
            checks.missing(engine.name, engine.remedy)
            continue
        start, accepted, lines = time.monotonic(), 0, 0
        for path in files:
            try:
                count = engine.lines(path)
            except Exception as error:  # An engine's refusal is the finding, whatever its class.
                checks.that(f"{engine.name} reads {os.path.basename(path)}", False, str(error)[:500])
                continue
            # htsfile only says what a file is.
            if checks.equal(f"{engine.name}, lines of {os.path.basename(path)}", count if count is not None else wanted[path], wanted[path]):
                accepted += 1
                lines += count or 0
        print(f"{engine.name:<14}{accepted:>7}{lines or '':>12}{time.monotonic() - start:>9.1f}", flush=True)
        if engine.takes_glob:
            check_glob(checks, engine, folder, everything)


def check_glob(checks, engine, folder, everything):
    start = time.monotonic()
    try:
        count = engine.lines(os.path.join(folder, "*.ndjson.gz"))
    except Exception as error:
        checks.that(f"{engine.name} reads all files at once", False, str(error)[:500])
        return
    checks.equal(f"{engine.name}, lines of all files at once", count, everything)
    print(f"{engine.name + ', *':<14}{'':>7}{count:>12}{time.monotonic() - start:>9.1f}", flush=True)


def check_funnels(checks, looptrail, folder):
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


def main():
    options = arguments(__doc__).parse_args()
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    with tempfile.TemporaryDirectory() as scratch:
        demo = os.path.join(scratch, "demo")
        start = time.monotonic()
        done = looptrail.run("demo", demo)
        if not checks.that("looptrail demo", done.returncode == 0, f"exit {done.returncode}: {done.stderr[-500:]}"):
            checks.close()
        print(f"looptrail demo: {time.monotonic() - start:.1f} s", flush=True)
        folder = os.path.join(demo, "events")
        done = looptrail.run("check", folder)
        checks.that("looptrail check", done.returncode == 0, f"exit {done.returncode}: {(done.stdout + done.stderr)[-500:]}")
        check_files(checks, looptrail, folder)
        check_funnels(checks, looptrail, folder)
    print()
    checks.close()


if __name__ == "__main__":
    main()
