#!/usr/bin/env python3
"""A funnel over 2,000,000 events beside ClickHouse's windowFunnel over the same files: processor time, wall time and memory.

    swift build -c release --product looptrail
    swift build -c release --product looptrail --traits Libdeflate --scratch-path .build/libdeflate
    Tools/conformance/speed.py --libdeflate .build/libdeflate/release/looptrail

Each command is a process of its own, with the same number of threads, and they take turns. Prints medians and their ratios to ClickHouse.
With `--target`, which needs a quiet machine, a missed target fails. ClickHouse's query counts each id once, as the command does by itself.
"""

import importlib.metadata
import importlib.util
import json
import os
import random
import statistics
import struct
import subprocess
import sys
import tempfile
import time
import zlib

from bgzf import END_MEMBER
from harness import Looptrail, arguments

STEPS = ["catalog_viewed", "product_viewed", "cart_added", "checkout_started", "payment_succeeded"]
OTHERS = [f"other_{number}" for number in range(25)]
WEIGHTS = [11, 9, 4, 2, 1] + [3] * len(OTHERS)
WINDOW_SECONDS = 3600
QUERY = """
SELECT {counts} FROM (
  SELECT user, windowFunnel({window})(t_ms, {conditions}) AS level FROM (
    SELECT user, t_ms, name FROM file('{files}', 'JSONEachRow', 'user String, t_ms UInt64, name String, id String')
    WHERE name IN ({names}) LIMIT 1 BY id
  ) GROUP BY user
) SETTINGS max_threads = {threads}
"""
CLICKHOUSE = """
import sys, chdb
print(str(chdb.query(sys.argv[1], "JSONCompactEachRow")).strip())
"""
# Processor and wall time as shares of ClickHouse's; memory in MB.
TARGETS = {"looptrail": {"processor": 0.65, "wall": 1.0, "memory": 150}, "with Libdeflate": {"processor": 0.45, "wall": 1.0, "memory": 150}}


def member(raw: bytes) -> bytes:
    """A member of blocked gzip of level 1, as the event writer makes it."""
    deflater = zlib.compressobj(1, zlib.DEFLATED, -15)
    body = deflater.compress(raw) + deflater.flush()
    head = b"\x1f\x8b\x08\x04\0\0\0\0\0\xff\x06\0BC\x02\0" + struct.pack("<H", len(body) + 25)
    return head + body + struct.pack("<II", zlib.crc32(raw), len(raw))


def write_events(folder: str, events: int, files: int, seed: int, apart: bool = True) -> None:
    """Sessions of about twelve events, ordered by time, lines of some 270 bytes.

    The files follow each other in time and have names like a writer's. If not `apart`, all begin at the same time and have other names.
    """
    dice = random.Random(seed)
    sessions = [(dice.randrange(50_000), 0) for _ in range(500)]
    names, t_ms, number = STEPS + OTHERS, 1_767_225_600_000, 0
    for file_number in range(files):
        if not apart:
            t_ms = 1_767_225_600_000
        stem = f"events-0000000{file_number}-0000000001" if apart else f"part-{file_number}"
        with open(os.path.join(folder, f"{stem}.ndjson.gz"), "wb") as file:
            lines, size = [], 0
            for name in dice.choices(names, WEIGHTS, k=events // files):
                place = dice.randrange(len(sessions))
                user, seq = sessions[place]
                sessions[place] = (user, seq + 1) if dice.random() > 1 / 12 else (dice.randrange(50_000), 0)
                t_ms += dice.randrange(1_200)
                number += 1
                digits = f"{t_ms:012x}7{dice.getrandbits(44):011x}{number:08x}"
                line = (
                    f'{{"v":1,"t_ms":{t_ms},"name":"{name}","user":"u{user:06}","session":"s{place:04x}{user:08x}","seq":{seq + 1},'
                    f'"id":"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}","props":{{"screen":"Catalog",'
                    f'"product":"sku-{dice.randrange(2_000):04}","price":{dice.randrange(10_000) / 100},'
                    f'"loop":{{"reduce_us":{dice.randrange(300)},"effect_us":{dice.randrange(2_000)}}}}}}}\n').encode()
                if size + len(line) > 65_280:
                    file.write(member(b"".join(lines)))
                    lines, size = [], 0
                lines.append(line)
                size += len(line)
            file.write(member(b"".join(lines)) + END_MEMBER)


def measured(command: list[str]) -> tuple[bytes, float, float, float]:
    """What a command printed, its processor seconds, its wall seconds, and its peak memory in MB."""
    began = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    printed = process.stdout.read()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise RuntimeError(f"{command[0]} ended with {process.returncode}")
    return printed, used.ru_utime + used.ru_stime, time.monotonic() - began, used.ru_maxrss / 1024


def clickhouse_query(folder: str, threads: int) -> str:
    return QUERY.format(
        counts=", ".join(f"countIf(level >= {step + 1})" for step in range(len(STEPS))), window=WINDOW_SECONDS * 1000,
        conditions=", ".join(f"name = '{name}'" for name in STEPS), names=", ".join(f"'{name}'" for name in STEPS),
        files=os.path.join(folder, "*.gz"), threads=threads)


def funnel_command(binary: str, folder: str, threads: int) -> list[str]:
    return [
        Looptrail(binary).binary, "funnel", folder, "--steps", " > ".join(STEPS), "--window", f"{WINDOW_SECONDS}s", "--format", "json",
        "--threads", str(threads), "--quiet",
    ]


def medians(commands: dict[str, list[str]], rounds: int) -> dict[str, list[float]]:
    """Processor time, wall time and memory of each command; ends the script if they count differently."""
    counts, figures = {}, {name: [] for name in commands}
    # The first round does not count: it brings the files into memory.
    for round_number in range(rounds + 1):
        for name, command in commands.items():
            printed, *used = measured(command)
            found = json.loads(printed)
            counts[name] = [int(count) for count in found] if name == "ClickHouse" else [step["count"] for step in found["steps"]]
            if round_number > 0:
                figures[name].append(used)
    if len({str(one) for one in counts.values()}) > 1:
        sys.exit(f"different counts: {counts}")
    print(f"counts of all: {counts['ClickHouse']}\n")
    return {name: [statistics.median(column) for column in zip(*rows)] for name, rows in figures.items()}


def main() -> None:
    parser = arguments(__doc__.splitlines()[0], seed=1)
    parser.add_argument("--libdeflate", metavar="BINARY", help="the command with the trait Libdeflate, to measure it, too")
    parser.add_argument("--folder", help="measure these event files; made for the run if left out")
    parser.add_argument("--events", type=int, default=2_000_000)
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--target", action="store_true", help="exit with 1 if a target is missed")
    asked = parser.parse_args()
    # chdb is not imported here, because the peak memory of a child is at least that of its parent when the child starts.
    if importlib.util.find_spec("chdb") is None:
        sys.exit("chdb is missing: pip install --requirement Tools/conformance/requirements.txt")

    with tempfile.TemporaryDirectory() as scratch:
        folder = asked.folder or scratch
        if not asked.folder:
            write_events(folder, asked.events, 8, asked.seed)
        commands = {"looptrail": funnel_command(asked.binary, folder, asked.threads)}
        if asked.libdeflate:
            commands["with Libdeflate"] = funnel_command(asked.libdeflate, folder, asked.threads)
        commands["ClickHouse"] = [sys.executable, "-c", CLICKHOUSE, clickhouse_query(folder, asked.threads)]
        figures = medians(commands, asked.rounds)
    theirs = figures["ClickHouse"]
    print(f"**A funnel of five steps beside ClickHouse** (chdb {importlib.metadata.version('chdb')}), {asked.threads} threads, "
          f"medians of {asked.rounds} rounds\n")
    print("| | processor s | of ClickHouse | wall s | of ClickHouse | memory MB |\n|---|---:|---:|---:|---:|---:|")
    for name, (processor, wall, memory) in figures.items():
        print(f"| {name} | {processor:.2f} | {processor / theirs[0]:.2f} | {wall:.2f} | {wall / theirs[1]:.2f} | {memory:.0f} |")
    missed = []
    for name in figures.keys() & TARGETS.keys():
        got = dict(zip(("processor", "wall"), (figures[name][place] / theirs[place] for place in (0, 1))), memory=figures[name][2])
        missed += [f"{name}, {what}: {got[what]:.2f}, target {target:g}" for what, target in TARGETS[name].items() if got[what] > target]
    print("\n" + ("\n".join(f"MISSED  {one}" for one in missed) or "every target is met"))
    if asked.target and missed:
        sys.exit(1)


if __name__ == "__main__":
    main()
