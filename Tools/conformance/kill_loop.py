#!/usr/bin/env python3
"""A loop that records itself ends by `kill -9`, or by a reducer that crashes: the last event that it took is in the file.

    swift build --product RecordingVictim && Tools/conformance/kill_loop.py --rounds 30

Every second round ends in a crash of the reducer. No event may be missing before the last, and a replay must come to every state that was
recorded.
"""

import mmap
import os
import random
import signal
import struct
import subprocess
import sys
import tempfile
import time

from harness import ROOT, Checks, arguments


def run(victim: str, events: str, number: int, moments: random.Random) -> int:
    """Returns the number of the last event whose reducer was called."""
    end = "crash" if number % 2 else "kill"
    with tempfile.NamedTemporaryFile() as counters:
        counters.write(bytes(16))
        counters.flush()
        command = [victim, "loop", events, counters.name, str(number), end]
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        with mmap.mmap(counters.fileno(), 16) as memory:
            last = lambda: struct.unpack("<Q", memory[:8])[0]
            if end == "kill":
                begun = time.monotonic()
                # The victim sends the second event once the ring exists.
                while last() < 2 and process.poll() is None and time.monotonic() - begun < 60:
                    time.sleep(0.001)
                time.sleep(moments.uniform(0, 0.2))
                process.send_signal(signal.SIGKILL)
            status = process.wait(timeout=300)
            if status >= 0:
                raise RuntimeError(f"round {number}: the victim ended by itself with {status}")
            return last()


def main() -> None:
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--victim", default=os.path.join(ROOT, ".build/debug/RecordingVictim"), help="the program to kill")
    parser.add_argument("--rounds", type=int, default=30)
    options = parser.parse_args()
    if not os.access(options.victim, os.X_OK):
        sys.exit(f"no program at {options.victim}: build it with `swift build --product RecordingVictim`, or pass --victim")
    victim, moments, checks = os.path.abspath(options.victim), random.Random(options.seed), Checks(options.allow_missing)
    print(f"seed {options.seed}", flush=True)
    taken = states = 0
    with tempfile.TemporaryDirectory() as scratch:
        for number in range(1, options.rounds + 1):
            events = os.path.join(scratch, f"round{number}")
            last = run(victim, events, number, moments)
            answer = subprocess.run([victim, "read", events], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120)
            found, missing, checked = [int(word) for word in answer.stdout.split()] if answer.returncode == 0 else (0, 0, 0)
            # After a kill the file may hold one event more, whose reducer had not begun.
            isThere = found in (last, last + 1) if number % 2 == 0 else found == last
            checks.that(f"round {number}: the last event is there", isThere, f"{found} of {last}; {answer.stderr[-300:]}")
            checks.equal(f"round {number}: missing before it", missing, 0)
            taken, states = taken + last, states + checked
            subprocess.run(["rm", "-rf", events], check=True)
    print(f"{options.rounds} ends, {taken} events, {states} states checked", flush=True)
    checks.close()


if __name__ == "__main__":
    main()
