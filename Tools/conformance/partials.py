#!/usr/bin/env python3
"""A funnel that is counted in parts gives the JSON of one pass, byte by byte: prepare, split, a `funnel - --partial` for each part, merge.

Checks every public case and seeded random definitions of every kind, over several files with cut and bad lines, copies and gaps. The
numbers of parts and splits are random, and so are the order and the grouping in which parts are merged.

    swift build -c release --product looptrail && Tools/conformance/partials.py [--cases 100]
"""

import json
import os
import random
import subprocess
import tempfile

from harness import Checks, Looptrail, arguments
from sql_dialects import HOUR, public_cases, random_events, random_flags, random_tests


def with_more(dice: random.Random, flags: list[str]) -> list[str]:
    """Adds flags that SQL refuses, and that counting in parts supports."""
    flags = list(flags)
    if dice.random() < 0.3:
        flags += ["--mature"] + ["--data-end", "2026-01-01T00:00:00.020Z"] * (dice.random() < 0.3)
    place = flags.index("--steps") + 1
    steps = flags[place].split(" > ")
    kind, count = dice.random(), len(steps)
    if kind < 0.15:
        flags += ["--order", "strict"]
    elif kind < 0.3:
        flags += ["--order", "any"]
    elif kind < 0.4:
        flags += ["--count", "attempts"]
    elif kind < 0.5 and "--hold" not in flags:
        modes = dice.choice(["", ":strict_order", ":strict_increase", ":strict_deduplication"])
        return flags + ["--compat", "clickhouse" + modes]
    elif kind < 0.6 and count > 1:
        steps[dice.randrange(1, count)] += "?"
        flags[place] = " > ".join(steps)
    if "--order" not in flags or flags[-1] == "strict":
        if dice.random() < 0.3:
            flags += ["--step-window", f"{dice.choice([0, 1, 3, 20])}ms"]
    if count > 1 and dice.random() < 0.3:
        flags += ["--exclude", dice.choice(["", "!"]) + dice.choice(["a", "b", "*", f"c[{random_tests(dice)}]"])]
    if "--breakdown" in flags and dice.random() < 0.3:
        flags[flags.index("--breakdown") + 1] = "props.p:all"
    return flags


def spread(dice: random.Random, path: str, folder: str) -> list[str]:
    """Spreads the lines of a file over several files, some with a bad or a cut line. Returns their paths."""
    with open(path, encoding="utf-8") as file:
        lines = file.readlines()
    os.mkdir(folder)
    count, paths = dice.randint(1, 4), []
    for number in range(count):
        part = lines[number * len(lines) // count : (number + 1) * len(lines) // count]
        if dice.random() < 0.2:
            part.insert(dice.randint(0, len(part)), '{"t_ms":"no","name":5}\n')
        if dice.random() < 0.1:
            part.append('{"t_ms":17672256000')
        paths.append(os.path.join(folder, f"{number}.ndjson"))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.writelines(part)
    return paths


def in_parts(looptrail: Looptrail, dice: random.Random, paths: list[str], flags: list[str], folder: str) -> tuple[bytes, str]:
    """Counts in parts. Returns the merged JSON, and the error of a command that failed."""

    def run(*words: str, source: str | None = None) -> None:
        with open(source or os.devnull, "rb") as stdin:
            done = subprocess.run([looptrail.binary, *words], stdin=stdin, capture_output=True, timeout=600)
        if done.returncode:
            raise RuntimeError(f"{words[0]} exited with {done.returncode}: {done.stderr.decode()}")

    def named(name: str) -> str:
        return os.path.join(folder, name)

    parts, splits, context, merged = dice.randint(1, 7), dice.choice([1, len(paths)]), named("context"), named("merged.json")
    groups = [paths] if splits == 1 else [[path] for path in paths]
    try:
        for number, group in enumerate(groups):
            run("prepare", *group, *flags, "--quiet", "-o", named(f"{number}.context"))
        contexts = [named(f"{number}.context") for number in range(len(groups))]
        run("merge", *dice.sample(contexts, len(contexts)), "-o", context)
        for number, group in enumerate(groups):
            run("split", *group, "--parts", str(parts), "--context", context, "-o", named(f"split-{number}"), "--quiet")
        partials = [named(f"split-{number}/quality.partial") for number in range(len(groups))]
        # Either the first line of a part says which part it is, or the flag `--part` does.
        is_said = dice.random() < 0.3
        for part in range(parts):
            lines = named(f"part-{part}")
            with open(lines, "wb") as out:
                for number in range(len(groups)):
                    with open(named(f"split-{number}/part-{part:04}.ndjson"), "rb") as file:
                        mark = file.readline()
                        out.write(file.read() if is_said else mark + file.read())
            partials.append(named(f"{part}.partial"))
            said = ["--part", f"{part + 1}/{parts}"] if is_said else []
            run("funnel", "-", "--partial", *said, "--context", context, "-o", partials[-1], source=lines)
        dice.shuffle(partials)
        if len(partials) > 2 and dice.random() < 0.5:
            some = dice.randint(2, len(partials) - 1)
            run("merge", "--partial", *partials[:some], "-o", named("some.partial"))
            partials = [named("some.partial"), *partials[some:]]
        run("merge", *partials, "--quiet", "--format", "json", "-o", merged)
    except RuntimeError as error:
        return b"", str(error)
    with open(merged, "rb") as file:
        return file.read(), ""


def check_shell(checks: Checks, looptrail: Looptrail, scratch: str) -> None:
    """Counts in parts as the documentation shows it, where xargs runs the parts."""
    folder = os.path.join(scratch, "shell")
    os.mkdir(folder)
    path, steps = os.path.join(folder, "events.ndjson"), "a > b"
    random_events(random.Random("shell 8"), path)
    script = f"""set -e
        looptrail prepare {path} --steps '{steps}' -o cart.context
        looptrail split {path} --parts 8 --context cart.context -o parts
        ls parts/*.ndjson | xargs -P 4 -I PART sh -c 'looptrail funnel - --partial --context cart.context -o PART.partial < PART'
        looptrail merge parts/*.partial --format json --quiet"""
    words = dict(os.environ, PATH=f"{os.path.join(folder, 'bin')}:{os.environ['PATH']}")
    os.mkdir(os.path.join(folder, "bin"))
    os.symlink(looptrail.binary, os.path.join(folder, "bin", "looptrail"))
    done = subprocess.run(["sh", "-c", script], cwd=folder, env=words, capture_output=True)
    whole = looptrail.run("funnel", path, "--steps", steps, "--format", "json")
    checks.equal("counted in parts by the documented shell script", done.stdout.decode() + done.stderr.decode(), whole.stdout)


def main() -> None:
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--cases", type=int, default=100, help="how many random definitions")
    options = parser.parse_args()
    checks, looptrail = Checks(), Looptrail(options.binary)
    compared = converted = 0
    with tempfile.TemporaryDirectory() as scratch:
        check_shell(checks, looptrail, scratch)
        cases = public_cases(scratch)
        for place in range(options.cases):
            dice = random.Random(f"parts {options.seed} {place}")
            path, unit = os.path.join(scratch, f"random-{place}.ndjson"), dice.choice([1, 1, 5 * HOUR])
            flags = with_more(dice, random_flags(dice, random_events(dice, path, unit), unit))
            cases.append((f"case {place} of seed {options.seed}", flags, path))
        for number, (title, flags, path) in enumerate(cases):
            dice, title = random.Random(f"way {options.seed} {number}"), f"{title}: {' '.join(flags)}"
            folder = os.path.join(scratch, f"case-{number}")
            paths = spread(dice, path, folder)
            whole = looptrail.run("funnel", *paths, *flags, "--format", "json", "--quiet")
            if whole.returncode == 2:
                # The random flags do not go together.
                continue
            compared += 1
            converted += json.loads(whole.stdout)["overall"]["converted"]
            got, problem = in_parts(looptrail, dice, paths, flags, folder)
            checks.that(title, got.decode() == whole.stdout, problem or f"got {got.decode()}, wanted {whole.stdout}")
    checks.that("enough was compared", compared >= options.cases * 0.7, str(compared))
    checks.that("someone converts", converted > 0)
    print(f"seed {options.seed}: {compared} compared, {converted} conversions")
    checks.close()


if __name__ == "__main__":
    main()
