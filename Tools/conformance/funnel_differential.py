#!/usr/bin/env python3
"""`looptrail funnel` counts as ClickHouse's windowFunnel on seeded random events with ties, repeats and small windows.

    swift build -c release --product looptrail && Tools/conformance/funnel_differential.py --cases 100 --seed 1
"""

import json
import os
import random
import tempfile

from engines import window_funnel
from harness import Checks, Looptrail, arguments, module


def random_case(dice):
    """Few users, names and moments, so that ties, repeats and windows that just close are frequent."""
    names = ["a", "b", "c", "d", "e"]
    users = [f"u{number}" for number in range(dice.choice([1, 3, 10, 40]))]
    span = dice.choice([3, 10, 50, 1000])
    events = [
        {"t_ms": 1_767_225_600_000 + dice.randrange(span), "name": dice.choice(names), "user": dice.choice(users)}
        for _ in range(dice.choice([1, 5, 20, 100, 400]))
    ]
    steps = dice.sample(names, dice.randint(1, len(names)))
    window = dice.choice([1, 2, 3, 5, span // 2 + 1, span, span * 2])
    return events, steps, window


def main():
    parser = arguments(__doc__)
    parser.add_argument("--cases", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    if not module("chdb"):
        checks.missing("ClickHouse", "pip install chdb")
        checks.close()
    dice = random.Random(options.seed)
    conversions = 0
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(options.cases):
            events, steps, window = random_case(dice)
            path = os.path.join(scratch, f"{number}.ndjson")
            with open(path, "w") as file:
                file.writelines(json.dumps(event) + "\n" for event in events)
            answer = looptrail.json("funnel", path, "--steps", " > ".join(steps), "--window", f"{window}ms")
            ours = [step["count"] for step in answer["steps"]]
            source = f"file('{path}', 'JSONEachRow', 't_ms Int64, name String, user String')"
            checks.equal(f"case {number} of seed {options.seed}: {steps} within {window} ms", ours, window_funnel(source, steps, window))
            conversions += ours[-1]
    checks.that("some funnels have conversions", conversions > 0)
    print(f"seed {options.seed}: {options.cases} cases, {conversions} conversions")
    checks.close()


if __name__ == "__main__":
    main()
