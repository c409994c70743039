#!/usr/bin/env python3
"""A million events of one user take at most twice the time of as many events of a hundred thousand users, in every mode and question.

    swift build -c release --product looptrail && Tools/conformance/single_user.py

Measures the command's processor time, the best of a few runs, because other work on the machine only adds to it. Also fails if a
question takes more than 1.5 times as long as a funnel over the same events. Prints a table.
"""

import os
import random
import resource
import subprocess
import tempfile

from harness import Checks, Looptrail, arguments

NAMES = ["catalog_viewed", "product_viewed", "cart_added", "checkout_started", "paid", "cart_cleared", "other"]
STEPS = "catalog_viewed > product_viewed > cart_added > checkout_started > paid"
MODES = {
    # The last step never occurs, so that the command must look at every event.
    "ordered": ["--steps", STEPS + " > never"],
    "repeated and any names": ["--steps", "product_viewed > (cart_added | product_viewed) > * > product_viewed > never"],
    "optional steps": ["--steps", "catalog_viewed > product_viewed? > cart_added? > paid > never"],
    "exclusions": ["--steps", STEPS + " > never", "--exclude", "!cart_cleared@2-4", "--exclude", "other@4-6"],
    "strict": ["--steps", STEPS + " > never", "--order", "strict"],
    "any order": ["--steps", STEPS + " > never", "--order", "any"],
    "step window": ["--steps", STEPS + " > never", "--step-window", "10s"],
    "attempts": ["--steps", STEPS + " > never", "--count", "attempts"],
    "held": ["--steps", STEPS + " > never", "--hold", "props.sku"],
    "breakdown": ["--steps", STEPS + " > never", "--breakdown", "props.sku"],
    "windowFunnel": ["--steps", STEPS + " > never", "--compat", "clickhouse"],
    "windowFunnel, once": ["--steps", STEPS + " > never", "--compat", "clickhouse:strict_once+strict_increase"],
}
# The other questions. Each is compared with the funnel `ordered`, or with `breakdown` if it has groups: those of `why` are all values.
QUESTIONS = {
    "trend": ["trend", "--steps", STEPS, "--window", "1m", "--every", "hour"],
    "trend by group": ["trend", "--steps", STEPS, "--window", "1m", "--every", "hour", "--breakdown", "props.sku"],
    "retention": ["retention", "--start", "catalog_viewed", "--return", "paid"],
    "paths from": ["paths", "--from", "catalog_viewed", "--count", "attempts"],
    "paths to": ["paths", "--to", "paid", "--count", "attempts"],
    "why": ["why", "--steps", STEPS, "--window", "1h"],
    "tail": ["tail", "--no-follow"],
}
# How many times the processor time of that funnel a question may take.
MOST = 1.5


def write(path: str, count: int, users: int, seed: int) -> None:
    dice = random.Random(seed)
    with open(path, "w") as file:
        for number in range(count):
            # Each event has a millisecond of its own.
            time = 1_767_225_600_000 + number // 3 * 3 + (number % 3 if number % 30 else 0)
            user = dice.randrange(users)
            file.write(
                f'{{"v":1,"t_ms":{time},"name":"{dice.choice(NAMES)}","user":"u{user:06}","session":"s{user:06}",'
                f'"props":{{"sku":"p{dice.randrange(20)}"}}}}\n')


def seconds(binary: str, path: str, call: list[str], rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([binary, *call, "--quiet", path], check=True, stdout=subprocess.DEVNULL)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        best = min(best, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return best


def main() -> None:
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--users", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    checks, looptrail = Checks(), Looptrail(options.binary)
    with tempfile.TemporaryDirectory() as scratch:
        one, many = os.path.join(scratch, "one.ndjson"), os.path.join(scratch, "many.ndjson")
        write(one, options.events, 1, options.seed)
        write(many, options.events, options.users, options.seed)
        print(f"{'':24}{'one user':>10}{f'{options.users:,} users':>16}{'ratio':>8}")
        calls = {name: ["funnel", "--window", "1h", "--format", "json", *flags] for name, flags in MODES.items()} | QUESTIONS
        of_many = {}
        for name, call in calls.items():
            alone, spread = (seconds(looptrail.binary, path, call, options.rounds) for path in (one, many))
            of_many[name] = spread
            print(f"{name:24}{alone:9.2f}s{spread:15.2f}s{alone / spread:8.2f}", flush=True)
            checks.that(f"{name}: one user takes at most twice as long", alone <= 2 * spread, f"{alone / spread:.2f}")
            if name in QUESTIONS:
                funnel = of_many["breakdown" if name == "why" or "--breakdown" in call else "ordered"]
                checks.that(f"{name}: at most {MOST} times a funnel", spread <= MOST * funnel, f"{spread / funnel:.2f}")
    checks.close()


if __name__ == "__main__":
    main()
