#!/usr/bin/env python3
"""`looptrail funnel` counts as ClickHouse's windowFunnel on seeded random events with ties, repeats and small windows.

Compares the default definition on distinct steps, where both agree, and `--compat clickhouse` with every set of modes on any
steps: repeated ones, groups of names, and `*`.

    swift build -c release --product looptrail && Tools/conformance/funnel_differential.py --cases 320 --seed 1
"""

import itertools
import json
import os
import random
import tempfile

from engines import MODES, window_funnels
from harness import Checks, Looptrail, arguments, module

NAMES = ["a", "b", "c", "d", "e", "f", "g", "h"]
MODE_SETS = [modes for size in range(len(MODES) + 1) for modes in itertools.combinations(MODES, size)]
BATCH = 40


def random_events(dice, names, most):
    """Events and a window. Users, names and times are few, so that ties, repeats and windows that just close are frequent."""
    users = [f"u{number}" for number in range(dice.choice([1, 3, 10, 40]))]
    span = dice.choice([3, 10, 50, 1000])
    # With strict_once windowFunnel follows every sequence, so many events of one user would take for ever.
    count = min(dice.choice([1, 5, 20, 100, 400, 1000]), most * len(users))
    events = [
        {"t_ms": 1_767_225_600_000 + dice.randrange(span), "name": dice.choice(names), "user": dice.choice(users)} for _ in range(count)
    ]
    if dice.random() < 0.5:
        # Half of the cases are sorted by time, as in a real file. The others are in any order.
        events.sort(key=lambda event: event["t_ms"])
    return events, dice.choice([1, 2, 3, 5, span // 2 + 1, span, span * 2])


def random_step(dice, names):
    kind = dice.random()
    if kind < 0.1:
        return []
    return sorted(dice.sample(names, 2)) if kind < 0.25 else [dice.choice(names)]


def random_case(dice, number):
    """Events, steps as lists of names (empty for any), the window, and the modes; `None` for the default definition."""
    count = dice.randint(2, 8)
    if number % 3 == 0:
        names = NAMES[: max(count, dice.randint(2, 8))]
        events, window = random_events(dice, names + ["other"], 1000)
        return events, [[name] for name in dice.sample(names, count)], window, None
    names = NAMES[: dice.randint(2, 6)]
    modes = MODE_SETS[number // 3 * 2 % 16 + number % 3 - 1]
    events, window = random_events(dice, names + ["other"] * dice.randint(0, 1), 25 if "strict_once" in modes else 1000)
    return events, [random_step(dice, names) for _ in range(count)], window, modes


def step_text(step):
    return "*" if not step else step[0] if len(step) == 1 else "(" + " | ".join(step) + ")"


def main():
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--cases", type=int, default=320)
    options = parser.parse_args()
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    if not module("chdb"):
        checks.missing("ClickHouse", "pip install chdb")
        checks.close()
    dice = random.Random(options.seed)
    conversions, depths = 0, set()
    with tempfile.TemporaryDirectory() as scratch:
        for first in range(0, options.cases, BATCH):
            ours, theirs, titles = [], [], []
            for number in range(first, min(first + BATCH, options.cases)):
                events, steps, window, modes = random_case(dice, number)
                path = os.path.join(scratch, f"{number}.ndjson")
                with open(path, "w") as file:
                    file.writelines(json.dumps(event) + "\n" for event in events)
                text = " > ".join(map(step_text, steps))
                compat = [] if modes is None else ["--compat", "clickhouse" + (":" + "+".join(modes) if modes else "")]
                answer = looptrail.json("funnel", path, "--steps", text, "--window", f"{window}ms", "--quiet", *compat)
                ours.append([step["count"] for step in answer["steps"]])
                source = f"file('{path}', 'JSONEachRow', 't_ms Int64, name String, user String')"
                theirs.append((source, steps, window, modes or [], "user"))
                titles.append(f"case {number} of seed {options.seed}: {text} within {window} ms, {' '.join(compat) or 'default'}")
            for title, got, wanted in zip(titles, ours, window_funnels(theirs)):
                checks.equal(title, got, wanted)
                conversions += got[-1]
                depths.add(sum(count > 0 for count in got))
    checks.that("every depth occurs", depths >= set(range(9)) or options.cases < 300, f"only {sorted(depths)}")
    checks.that("some funnels have conversions", conversions > 0)
    checks.that("at least one case was compared", checks.passed + checks.failed >= options.cases)
    print(f"seed {options.seed}: {options.cases} cases, {conversions} conversions")
    checks.close()


if __name__ == "__main__":
    main()
