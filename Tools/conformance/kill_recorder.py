#!/usr/bin/env python3
"""A process that records and never flushes is killed by `kill -9`: each event whose `record()` had returned is in the files, once.

    swift build --product RecordingVictim && Tools/conformance/kill_recorder.py --rounds 30

With --full-disk it does the same on a file system of 4 MB, which it fills while the process records. `dropped` lines must count all
events that are missing. This needs root, or an unshare(1) that lets everybody mount; otherwise it is skipped.
"""

import json
import mmap
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time

from bgzf import END_MEMBER, members
from harness import ROOT, Checks, arguments, event_files


class Round:
    """One victim, from its start to what the next process finds."""

    def __init__(self, victim: str, folder: str, number: int, moments: random.Random, full_disk: bool):
        self.victim, self.folder, self.number, self.moments, self.full_disk = victim, folder, number, moments, full_disk
        self.events = os.path.join(folder, "events")

    def run(self) -> list[int]:
        """Returns how many events of each thread had been recorded when the process was killed."""
        with tempfile.NamedTemporaryFile() as counters:
            counters.write(bytes(16))
            counters.flush()
            command = [self.victim, "record", self.events, counters.name, str(self.number), "drop" if self.full_disk else "wait"]
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL)
            with mmap.mmap(counters.fileno(), 16) as memory:
                read = lambda: list(struct.unpack("<QQ", memory[:16]))
                begun = time.monotonic()
                while min(read()) == 0 and process.poll() is None and time.monotonic() - begun < 60:
                    time.sleep(0.001)
                time.sleep(self.moments.uniform(0, 0.08))
                if self.full_disk:
                    self.fill()
                    time.sleep(self.moments.uniform(0, 0.2))
                was_running = process.poll() is None
                process.send_signal(signal.SIGKILL)
                process.wait()
                if not was_running:
                    raise RuntimeError(f"round {self.number}: the victim ended by itself with {process.returncode}")
                returned = read()
        if self.full_disk:
            os.remove(os.path.join(self.folder, "ballast"))
        return returned

    def fill(self) -> None:
        with open(os.path.join(self.folder, "ballast"), "wb", buffering=0) as ballast:
            size = 65_536
            while size:
                try:
                    if ballast.write(bytes(size)) == 0:
                        size = 0
                except OSError:
                    size //= 4

    def recover(self) -> None:
        command = [self.victim, "recover", self.events]
        # In every third round the recovery is killed, too.
        if self.number % 3 == 0:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
            try:
                process.wait(timeout=self.moments.uniform(0, 0.12))
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True, timeout=120)

    def judge(self, checks: Checks, returned: list[int]) -> tuple[int, int, int]:
        """Returns how many events were recorded, how many are missing and in no `dropped` line, and how many are there twice."""
        name = f"round {self.number}"
        left = [one for one in os.listdir(self.events) if not one.endswith(".ndjson.gz") and one != ".quarantine"]
        checks.equal(f"{name}: files left over", left, [])
        numbers: list[list[int]] = [[], []]
        ids: list[str] = []
        dropped = 0
        for path in event_files(self.events):
            with open(path, "rb") as file:
                data = file.read()
            checks.that(f"{name}: {os.path.basename(path)} has its end", data.endswith(END_MEMBER))
            for _, raw in members(data):
                for line in raw.splitlines():
                    event = json.loads(line)
                    ids.append(event["id"])
                    if event.get("type") == "meta":
                        dropped += event["props"]["count"] if event["name"] == "dropped" else 0
                    else:
                        numbers[int(event["session"][-1])].append(event["seq"])
        twice = len(ids) - len(set(ids))
        missing = sum(len(set(range(1, last + 1)) - set(found)) for last, found in zip(returned, numbers))
        checks.equal(f"{name}: events that are there twice", twice, 0)
        if self.full_disk:
            # Each thread may have one event that was dropped and counted before its call returned.
            checks.that(f"{name}: all that is missing is counted", missing <= dropped <= missing + 2, f"{missing} missing, {dropped} dropped")
        else:
            checks.equal(f"{name}: returned events missing", (missing, dropped), (0, 0))
        return sum(returned), missing - (dropped if self.full_disk else 0), twice


def main() -> None:
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--victim", default=os.path.join(ROOT, ".build/debug/RecordingVictim"), help="the program to kill")
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--full-disk", action="store_true", help="on a file system of 4 MB that is full")
    options = parser.parse_args()
    if not os.access(options.victim, os.X_OK):
        sys.exit(f"no program at {options.victim}: build it with `swift build --product RecordingVictim`, or pass --victim")
    if options.full_disk and "RECORDER_MAY_MOUNT" not in os.environ:
        os.environ["RECORDER_MAY_MOUNT"] = "1"
        command = ["unshare", "--mount"] if os.geteuid() == 0 else ["unshare", "--mount", "--map-root-user"]
        mount = "mount -t tmpfs -o size=4m tmpfs /mnt"
        if subprocess.run(command + ["sh", "-c", mount], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode != 0:
            print("skipped: this machine does not let us mount a small file system")
            return
        os.execvp("unshare", command + [sys.executable, os.path.abspath(__file__)] + sys.argv[1:])
    checks = Checks(options.allow_missing)
    moments = random.Random(options.seed)
    print(f"seed {options.seed}", flush=True)
    recorded = missing = twice = 0
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(1, options.rounds + 1):
            folder = os.path.join(scratch, f"round{number}")
            os.mkdir(folder, 0o700)
            if options.full_disk:
                subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4m,mode=700", "tmpfs", folder], check=True)
            one = Round(os.path.abspath(options.victim), folder, number, moments, options.full_disk)
            returned = one.run()
            one.recover()
            of_round = one.judge(checks, returned)
            recorded, missing, twice = recorded + of_round[0], missing + max(0, of_round[1]), twice + of_round[2]
            if options.full_disk:
                subprocess.run(["umount", folder], check=True)
            subprocess.run(["rm", "-rf", folder], check=True)
    print(f"{options.rounds} kills, {recorded} returned events: {missing} missing, {twice} twice", flush=True)
    checks.close()


if __name__ == "__main__":
    main()
