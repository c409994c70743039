"""What the conformance scripts share: running the command, counting checks, and the closing line."""

import argparse
import json
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Checks:
    """Collects checks, prints one line each (failures always, passes grouped by the caller), and the closing line."""

    def __init__(self, allow_missing=False):
        self.passed = 0
        self.failed = 0
        self.allow_missing = allow_missing

    def that(self, name, is_so, detail=""):
        if is_so:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAILED  {name}{': ' if detail else ''}{detail}", flush=True)
        return is_so

    def equal(self, name, got, wanted):
        return self.that(name, got == wanted, f"got {got!r}, wanted {wanted!r}")

    def missing(self, tool, remedy):
        """A tool that is not there is a failure: a check that silently does not run proves nothing."""
        if self.allow_missing:
            print(f"MISSING {tool} (allowed); {remedy}", flush=True)
        else:
            self.that(f"{tool} is installed", False, f"{remedy}, or pass --allow-missing")

    def close(self):
        print(f"{self.passed} passed, {self.failed} failed", flush=True)
        sys.exit(1 if self.failed or not self.passed else 0)


def arguments(description):
    """The arguments that every script takes; the caller may add its own before parsing."""
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--binary", default=os.path.join(ROOT, ".build/release/looptrail"), help="the looptrail command to test")
    parser.add_argument("--allow-missing", action="store_true", help="leave out what needs a tool that is not installed")
    return parser


class Looptrail:
    """Runs the command."""

    def __init__(self, binary):
        self.binary = os.path.abspath(binary)
        if not os.access(self.binary, os.X_OK):
            sys.exit(f"no command at {self.binary}: build it with `swift build -c release --product looptrail`, or pass --binary")

    def run(self, *args, **options):
        options.setdefault("stdin", subprocess.DEVNULL)
        options.setdefault("text", True)
        return subprocess.run([self.binary, *args], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=600, **options)

    def json(self, *args):
        done = self.run(*args, "--format", "json")
        if done.returncode != 0:
            raise RuntimeError(f"`looptrail {' '.join(args)}` exited with {done.returncode}: {done.stderr.strip()}")
        return json.loads(done.stdout)

    def lines(self, *paths):
        """How many lines the command reads: events, the lines that are none, and those that cannot be used."""
        answer = self.json("events", *paths)
        return answer["input"]["events"] + answer["meta_lines"] + answer["timing_lines"] + answer["input"]["bad_lines"]


def tool(name):
    return shutil.which(name)


def module(name):
    try:
        return __import__(name)
    except ImportError:
        return None


def event_files(folder, ending=".ndjson.gz"):
    found = []
    for path, folders, names in os.walk(folder):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        found += [os.path.join(path, name) for name in sorted(names) if name.endswith(ending) and not name.startswith(".")]
    return found
