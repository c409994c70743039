#!/usr/bin/env python3
"""A funnel over event files that no machine holds, on a Spark cluster: every definition of `looptrail funnel`, with its exact result.

    spark-submit funnel.py 's3a://bucket/events/*.ndjson.gz' --looptrail ./looptrail --parts 200 \\
        --steps 'product_viewed > cart_added[price>=20] > payment_succeeded' --window 1h --format json -o funnel.json

Spark brings the lines of each key together; the command, which travels with the job, counts. So it must run on the workers:
`swift build -c release --static-swift-stdlib --product looptrail` makes one that needs no Swift there. Flags that are not this script's are
those of `looptrail cluster prepare`, which says what it refuses. A file is the unit of reading, a part that of counting.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator

from pyspark import SparkContext, SparkFiles

# The part that holds no lines, but what was read.
QUALITY = -1
# What `--strict` counts of the input.
DAMAGE = ("bad_lines", "damaged_members")
Key = tuple[int, int, int]


def call(binary: str, *words: str) -> None:
    """Runs the command. A failure fails the task, which Spark tries again elsewhere: an empty part would be a wrong result."""
    done = subprocess.run([binary, *words], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if done.returncode:
        raise RuntimeError(f"looptrail {words[0]} exited with {done.returncode}: {done.stderr.decode(errors='replace').strip()}")


def shipped(name: str) -> str:
    """The command, where Spark put it."""
    binary = SparkFiles.get(name)
    if not os.access(binary, os.X_OK):
        os.chmod(binary, 0o755)
    return binary


def written(folder: str, name: str, content: bytes) -> str:
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(content)
    return path


def read(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def local(folder: str, path: str, content: bytes) -> str:
    """A file of the lake as a file of this machine, its ending kept."""
    return written(folder, "events" + "".join(part for part in (".ndjson", ".jsonl", ".gz", ".open") if part in os.path.basename(path)), content)


def prepared(path: str, content: bytes, definition: bytes, name: str) -> bytes:
    """The context of one file."""
    with tempfile.TemporaryDirectory() as folder:
        output = os.path.join(folder, "context")
        source = written(folder, "definition", definition)
        call(shipped(name), "prepare", local(folder, path, content), "--context", source, "--quiet", "--threads", "1", "-o", output)
        return read(output)


def lines(path: str, content: bytes, rank: int, parts: int, context: bytes, name: str) -> Iterator[tuple[Key, bytes]]:
    """The lines of one file, each with its part, the file's rank and its index in the file, and last what was read."""
    with tempfile.TemporaryDirectory() as folder:
        quality = os.path.join(folder, "quality")
        words = [shipped(name), "split", local(folder, path, content), "--parts", str(parts), "--context", written(folder, "context", context)]
        words += ["-o", "-", "--quality", quality, "--quiet", "--threads", "1"]
        with open(os.path.join(folder, "errors"), "w+b") as errors:
            with subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors) as process:
                assert process.stdout
                # Split at line feeds and nothing else: Spark's own reader of text also takes a carriage return for an end.
                for row in process.stdout:
                    part, number, line = row.split(b"\t", 2)
                    yield (int(part), rank, int(number)), line
            if process.returncode:
                errors.seek(0)
                raise RuntimeError(f"looptrail cluster split exited with {process.returncode}: {errors.read().decode(errors='replace').strip()}")
        yield (QUALITY, rank, 0), read(quality)


def counted(part: int, rows: Iterable[tuple[Key, bytes]], parts: int, context: bytes, name: str) -> Iterator[bytes]:
    """The partial of one part, without lines too; behind the last part the qualities, each as it is."""
    if part == parts:
        for _, quality in rows:
            yield quality
        return
    with tempfile.TemporaryDirectory() as folder:
        path, output = os.path.join(folder, "part.ndjson"), os.path.join(folder, "partial")
        with open(path, "wb") as file:
            for _, line in rows:
                file.write(line)
        call(
            shipped(name), "funnel", path, "--partial", "--part", f"{part + 1}/{parts}", "--context", written(folder, "context", context),
            "--quiet", "--threads", "1", "-o", output)
        yield read(output)


def funnel(
        context: SparkContext, binary: str, paths: list[str], flags: list[str], parts: int, output: list[str],
        is_strict: bool = False) -> tuple[bytes, bool]:
    """What `looptrail cluster merge` prints, and with `is_strict` whether any input was damaged.

    - flags: those of the funnel.
    - output: those of the result, such as `--format json`.
    """
    with tempfile.TemporaryDirectory() as folder:
        # Spark gives a file to the tasks under its own name, and follows links.
        path = os.path.realpath(binary)
        context.addFile(path)
        name = os.path.basename(path)
        # Here, once: `now-7d` must be one moment for all.
        nothing, first = written(folder, "nothing.ndjson", b""), os.path.join(folder, "definition")
        call(binary, "prepare", nothing, *flags, "--quiet", "-o", first)
        definition = read(first)
        # A file a task.
        files = context.binaryFiles(",".join(paths), minPartitions=1_000_000)
        contexts = files.map(lambda file: (file[0], prepared(file[0], bytes(file[1]), definition, name))).collect()
        # In the order of one machine: by path.
        ranks = {path: rank for rank, path in enumerate(sorted(path for path, _ in contexts))}
        found = [written(folder, f"{ranks[path]}.context", content) for path, content in contexts]
        merged = os.path.join(folder, "context")
        call(binary, "merge", first, *found, "-o", merged)
        whole = read(merged)
        rows = files.flatMap(lambda file: lines(file[0], bytes(file[1]), ranks[file[0]], parts, whole, name))
        sorted_rows = rows.repartitionAndSortWithinPartitions(parts + 1, partitionFunc=lambda key: key[0] if key[0] >= 0 else parts)
        partials = sorted_rows.mapPartitionsWithIndex(lambda part, rows: counted(part, rows, parts, whole, name)).collect()
        if not contexts:
            quality, empty = os.path.join(folder, "empty"), os.path.join(folder, "parts")
            call(binary, "split", nothing, "--parts", str(parts), "--context", merged, "-o", empty, "--quality", quality)
            partials.append(read(quality))
        names = [written(folder, f"{number}.partial", content) for number, content in enumerate(partials)]
        done = subprocess.run([binary, "merge", *names, *output], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
        if done.returncode:
            raise RuntimeError(f"looptrail merge exited with {done.returncode}")
        if not is_strict:
            return done.stdout, False
        report = os.path.join(folder, "report.json")
        call(binary, "merge", *names, "--quiet", "-o", report)
        found = json.loads(read(report))["input"]
        return done.stdout, any(found[kind] for kind in DAMAGE)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    parser.add_argument("paths", nargs="+", help="files, folders or globs, wherever Spark reads")
    parser.add_argument("--looptrail", required=True, help="the command, which is sent to the workers")
    parser.add_argument("--parts", type=int, default=200, help="into how many parts the keys are divided (default: 200)")
    parser.add_argument("--tz", default="UTC", help="the time zone of dates and days (default: UTC)")
    parser.add_argument("--format", help="as `looptrail cluster merge` has it (default: by the ending of -o's file, else table)")
    parser.add_argument("-o", "--output", action="append", default=[], help="a file for the result; may be repeated")
    parser.add_argument("--strict", action="store_true", help="exit with 3 if any input was damaged or could not be read")
    options, flags = parser.parse_known_args()
    flags += ["--tz", options.tz]
    output = ["--tz", options.tz] + (["--format", options.format] if options.format else [])
    output += [word for path in options.output for word in ("-o", path)]
    context = SparkContext.getOrCreate()
    try:
        result, is_damaged = funnel(context, options.looptrail, options.paths, flags, options.parts, output, options.strict)
        sys.stdout.buffer.write(result)
    except RuntimeError as error:
        sys.exit(str(error))
    finally:
        context.stop()
    if is_damaged:
        sys.exit(3)


if __name__ == "__main__":
    main()
