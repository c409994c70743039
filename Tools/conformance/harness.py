"""What the conformance scripts share: running the command, killing it, counting checks, and the closing line."""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import types
from typing import Any, NoReturn

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Checks:
    """Counts checks, prints each that fails, and ends the script with the closing line."""

    def __init__(self, allow_missing: bool = False):
        self.passed = 0
        self.failed = 0
        self.allow_missing = allow_missing

    def that(self, name: str, is_so: object, detail: str = "") -> bool:
        if is_so:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED  {name}{': ' if detail else ''}{detail}", flush=True)
        return bool(is_so)

    def equal(self, name: str, got: object, wanted: object) -> bool:
        return self.that(name, got == wanted, f"got {got!r}, wanted {wanted!r}")

    def missing(self, tool: str, remedy: str) -> None:
        """A missing tool is a failure: a check that silently does not run proves nothing."""
        if self.allow_missing:
            print(f"MISSING {tool} (allowed); {remedy}", flush=True)
        else:
            self.that(f"{tool} is installed", False, f"{remedy}, or pass --allow-missing")

    def close(self) -> NoReturn:
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        sys.exit(1 if self.failed or not self.passed else 0)


def arguments(description: str | None, seed: int | None = None) -> argparse.ArgumentParser:
    """The arguments that most scripts take. The caller may add its own before parsing. With `seed`, there is a `--seed`."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/looptrail"), help="the looptrail command to test")
    parser.add_argument("--allow-missing", action="store_true", help="leave out what needs a tool that is not installed")
    if seed is not None:
        parser.add_argument("--seed", type=int, default=seed, help=f"of the random choices, {seed} if left out")
    return parser


class Looptrail:
    """Runs the command."""

    def __init__(self, binary: str):
        self.binary = os.path.abspath(binary)
        if not os.access(self.binary, os.X_OK):
            sys.exit(f"no command at {self.binary}: build it with `swift build -c release --product looptrail`, or pass --binary")

    def run(self, *args: str, **options: Any) -> subprocess.CompletedProcess:
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("text", True)
        return subprocess.run([self.binary, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, **options)

    def json(self, *args: str) -> Any:
        done = self.run(*args, "--format", "json")
        if done.returncode != 0:
            raise RuntimeError(f"`looptrail {' '.join(args)}` exited with {done.returncode}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def lines(self, *paths: str) -> int:
        """How many lines the command reads: events, meta lines, timing lines, and bad lines."""
        answer = self.json("events", *paths)
        return answer["input"]["events"] + answer["meta_lines"] + answer["timing_lines"] + answer["input"]["bad_lines"]

    def start_demo(self, folder: str) -> subprocess.Popen:
        """Starts a demo and does not wait for it. Its output is thrown away."""
        return subprocess.Popen([self.binary, "demo", folder], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def killed_demo(self, folder: str, after: float) -> bool:
        """Runs a demo and kills it after this many seconds. Returns whether it was still running."""
        process = self.start_demo(folder)
        try:
            process.wait(timeout=after)
            return False
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            process.wait()
            return True

    def demo_killed_while_writing(self, folder: str, files: int, size: int) -> bool:
        """Runs a demo and kills it when this many files are sealed and the next has at least `size` bytes. Unlike a moment in seconds, this
        never falls between two files, whatever else the machine does. Returns whether the demo was still running."""
        process = self.start_demo(folder)
        events = os.path.join(folder, "events")

        def came_so_far() -> bool:
            try:
                is_written = any(os.path.getsize(path) >= size for path in event_files(events, ".open"))
            except FileNotFoundError:  # The file was sealed meanwhile.
                return False
            return is_written and len(event_files(events)) >= files

        while process.poll() is None:
            if came_so_far():
                process.kill()
                process.wait()
                return True
            time.sleep(0.005)
        return False


def test_answers(suite: str, setting: str, lines: list[str]) -> list[list[float | None]]:
    """Runs a test suite on lines of input, and returns its answers: for each line a list of numbers, with `None` for `none`. The suite
    reads the file that the variable `<setting>_TABLES` names, and writes the file of `<setting>_ANSWERS`.

    Starts the tests' executable itself, because `swift test` fails while something else is built in the same folder."""
    executable = os.path.join(ROOT, ".build/debug/looptrailPackageTests.xctest")
    if not os.path.exists(executable):
        sys.exit(f"no tests at {executable}: build them with `swift build --build-tests`")
    with tempfile.TemporaryDirectory() as folder:
        asked, answered = os.path.join(folder, "tables"), os.path.join(folder, "answers")
        with open(asked, "w", encoding="utf-8") as file:
            file.writelines(line + "\n" for line in lines)
        done = subprocess.run(
            [executable, "--testing-library", "swift-testing", "--filter", suite], cwd=ROOT, stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600,
            env=os.environ | {f"{setting}_TABLES": asked, f"{setting}_ANSWERS": answered})
        if not os.path.exists(answered):
            sys.exit(f"no answers of {suite}: {done.stdout}")
        with open(answered, encoding="utf-8") as file:
            return [[None if word == "none" else float(word) for word in line.split()] for line in file]


def tool(name: str) -> str | None:
    return shutil.which(name)


def module(name: str) -> types.ModuleType | None:
    try:
        return __import__(name)
    except ImportError:
        return None


def event_files(folder: str, ending: str = ".ndjson.gz") -> list[str]:
    found = []
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        found += [os.path.join(path, name) for name in sorted(names) if name.endswith(ending) and not name.startswith(".")]
    return found
