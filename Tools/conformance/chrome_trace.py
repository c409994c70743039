#!/usr/bin/env python3
"""The timeline that the demo leaves is valid by the Trace Event Format, and closed even when the demo is killed.

    swift build -c release --product looptrail && Tools/conformance/chrome_trace.py

Checks what the format asks for and what our own files promise beyond it: a closed array of objects, the keys of each kind of event, times
that are numbers and not negative, complete events that nest in each thread, arrows with both ends within an event, and a name for each
thread. The script first tries its checker on texts with each of these faults.
"""

import json
import os
import random
import signal
import tempfile
import time
from decimal import Decimal

from harness import Checks, Looptrail, arguments

# The keys that each kind of event must have beside `ph`.
KEYS = {
    "X": {"name", "cat", "ts", "dur", "pid", "tid"},
    "M": {"name", "pid", "args"},
    "s": {"name", "cat", "id", "ts", "pid", "tid"},
    "f": {"name", "cat", "id", "ts", "pid", "tid", "bp"},
    "i": {"name", "ts", "pid", "tid", "s"},
}


def faults(text: str) -> list[str]:
    """The faults of a trace, as messages. A valid trace has none."""
    if not text.rstrip().endswith("]"):
        return ["the array is not closed"]
    try:
        # Decimals, because a float cannot hold the nanoseconds of a clock that has run for months.
        events = json.loads(text, parse_float=Decimal)
    except ValueError as error:
        return [f"no JSON: {error}"]
    if not isinstance(events, list) or not all(isinstance(event, dict) for event in events):
        return ["no array of objects"]
    found, spans, names, starts, ends = [], {}, {}, {}, {}
    for place, event in enumerate(events):
        phase = event.get("ph")
        if phase not in KEYS:
            found.append(f"event {place}: unknown phase {phase!r}")
            continue
        missing = KEYS[phase] - event.keys()
        if missing:
            found.append(f"event {place} ({phase}): no {', '.join(sorted(missing))}")
            continue
        if not isinstance(event["name"], str):
            found.append(f"event {place}: the name is no text")
        if not isinstance(event["pid"], int) or ("tid" in event and not isinstance(event["tid"], int)):
            found.append(f"event {place}: pid or tid is no whole number")
        for key in ("ts", "dur"):
            if key in event and (isinstance(event[key], bool) or not isinstance(event[key], (int, Decimal)) or event[key] < 0):
                found.append(f"event {place}: {key} is {event[key]!r}")
                break
        else:
            lane = (event["pid"], event.get("tid"))
            if phase == "X":
                spans.setdefault(lane, []).append((event["ts"], event["ts"] + event["dur"], event["name"]))
            elif phase == "M" and event["name"] == "thread_name":
                names[lane] = event["args"].get("name")
            elif phase in "sf":
                (starts if phase == "s" else ends).setdefault((event["cat"], event["name"], str(event["id"])), []).append((lane, event["ts"]))
    for lane, own in spans.items():
        if not isinstance(names.get(lane), str):
            found.append(f"thread {lane} has no name")
        # Sorts each span before the spans inside it.
        own.sort(key=lambda span: (span[0], -span[1]))
        around = []
        for start, end, name in own:
            while around and around[-1][0] <= start:
                around.pop()
            if around and end > around[-1][0]:
                found.append(f"thread {lane}: {name} at {start} sticks out of {around[-1][1]}")
            around.append((end, name))
    for arrow in starts.keys() | ends.keys():
        tips = starts.get(arrow, []) + ends.get(arrow, [])
        if len(starts.get(arrow, [])) != 1 or len(ends.get(arrow, [])) != 1:
            found.append(f"arrow {arrow} has not one start and one end")
        elif starts[arrow][0][1] > ends[arrow][0][1]:
            found.append(f"arrow {arrow} goes back in time")
        for lane, time_of_tip in tips:
            if not any(start <= time_of_tip <= end for start, end, _ in spans.get(lane, [])):
                found.append(f"arrow {arrow} is tied to nothing")
    return found


def span(name: str, start: object, duration: float, tid: int = 1, **more: object) -> dict:
    return {"ph": "X", "name": name, "cat": "event", "ts": start, "dur": duration, "pid": 1, "tid": tid, **more}


def try_checker(checks: Checks) -> None:
    """Tries the checker on a sound trace and on traces with one fault each. Without that, a trace without faults would prove nothing."""
    name = {"ph": "M", "name": "thread_name", "pid": 1, "tid": 1, "args": {"name": "loop"}}
    start = {"ph": "s", "name": "starts", "cat": "feedback", "id": "1", "ts": 1, "pid": 1, "tid": 1}
    end = {**start, "ph": "f", "bp": "e", "ts": 2}
    sound = [name, span("a", 0, 10), span("b", 2, 3), span("c", 5, 5), start, end]
    checks.equal("a sound trace has no fault", faults(json.dumps(sound)), [])
    broken = {
        "not closed": json.dumps(sound)[:-1],
        "cut": json.dumps(sound)[:-9] + "]",
        "an object": json.dumps({"traceEvents": sound}),
        "unknown phase": json.dumps([name, {**span("a", 0, 1), "ph": "Q"}]),
        "no duration": json.dumps([name, {key: value for key, value in span("a", 0, 1).items() if key != "dur"}]),
        "negative duration": json.dumps([name, span("a", 0, -1)]),
        "time as text": json.dumps([name, span("a", "0", 1)]),
        "overlap": json.dumps([name, span("a", 0, 10), span("b", 5, 10)]),
        "overlap by a nanosecond": json.dumps([name, span("a", 0, 10), span("b", 5, 5.001)]),
        "thread without a name": json.dumps([span("a", 0, 1)]),
        "arrow without an end": json.dumps([name, span("a", 0, 10), start]),
        "arrow to nothing": json.dumps([name, span("a", 0, 10), start, {**end, "ts": 11}]),
        "arrow back in time": json.dumps([name, span("a", 0, 10), {**start, "ts": 3}, end]),
    }
    for fault, text in broken.items():
        checks.that(f"the checker finds: {fault}", faults(text))


def check_demo(checks: Checks, looptrail: Looptrail, scratch: str) -> None:
    folder = os.path.join(scratch, "demo")
    done = looptrail.run("demo", folder)
    path = os.path.join(folder, "loop.trace.json")
    checks.that("looptrail demo", done.returncode == 0, f"exit {done.returncode}: {done.stderr[-500:]}")
    # The demo has a deliberate fault. Here it must be found among 10,000 people; the tests of the package find it among fewer.
    matters = [line for line in done.stderr.splitlines() if line.startswith("What matters: ")]
    checks.that("the demo names its fault first", bool(matters) and matters[0].startswith("What matters: Payment: ios, 2.1.0 converts "), str(matters))
    checks.that("the demo's text names the timeline", path in done.stderr, done.stderr[-800:])
    with open(path, encoding="utf-8") as file:
        text = file.read()
    checks.equal("the demo's timeline is valid", faults(text)[:10], [])
    events = [event for event in json.loads(text) if event["ph"] == "X"]
    kinds = {event["cat"] for event in events}
    checks.that("it holds events and their phases", {"event", "phase"} <= kinds, f"{sorted(kinds)}")
    checks.that("asynchronous work is among the phases", any(event["name"] == "effect" for event in events))
    whole = {(event["tid"], event["args"]["number"]): event for event in events if event["cat"] == "event"}
    under = [whole.get((event["tid"], event["args"]["number"])) for event in events if event["cat"] == "phase"]
    checks.that("every phase has its event in the same thread", under and all(under))
    lanes = {}
    for tid, number in whole:
        lanes.setdefault(tid, []).append(number)
    holes = [tid for tid, numbers in lanes.items() if sorted(numbers) != list(range(1, len(numbers) + 1))]
    checks.equal("the events of each thread are numbered without holes", holes, [])
    print(f"{len(events)} complete events in {len(lanes)} threads, {len(text)} bytes", flush=True)


def check_killed(checks: Checks, looptrail: Looptrail, scratch: str, rounds: int, seed: int) -> None:
    moments = random.Random(seed)
    with_events = 0
    for number in range(1, rounds + 1):
        folder = os.path.join(scratch, f"killed{number}")
        path = os.path.join(folder, "loop.trace.json")
        process = looptrail.start_demo(folder)
        # The demo is killed when the timeline has a random size, because the timeline grows at the beginning of the run only.
        wanted = moments.randrange(200, 60_000)
        while process.poll() is None and (not os.path.exists(path) or os.path.getsize(path) < wanted):
            time.sleep(0.0005)
        process.send_signal(signal.SIGKILL)
        process.wait()
        with open(path, encoding="utf-8") as file:
            text = file.read()
        checks.equal(f"killed at {len(text)} bytes: the timeline is valid", faults(text)[:5], [])
        with_events += '"ph":"X"' in text
    # Without this check, demos that were all killed too early would pass.
    checks.that("some killed demo had written an event", with_events > 0)


def main() -> None:
    parser = arguments(__doc__, seed=1)
    parser.add_argument("files", nargs="*", help="check these files and not the demo")
    parser.add_argument("--killed", type=int, default=5, help="how many demos to kill")
    options = parser.parse_args()
    checks = Checks(options.allow_missing)
    try_checker(checks)
    if options.files:
        for path in options.files:
            with open(path, encoding="utf-8") as file:
                checks.equal(f"{path} is valid", faults(file.read())[:10], [])
        checks.close()
    looptrail = Looptrail(options.binary)
    print(f"seed {options.seed}", flush=True)
    with tempfile.TemporaryDirectory() as scratch:
        check_demo(checks, looptrail, scratch)
        check_killed(checks, looptrail, scratch, options.killed, options.seed)
    checks.close()


if __name__ == "__main__":
    main()
