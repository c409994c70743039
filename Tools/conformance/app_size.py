#!/usr/bin/env python3
"""Prints how large an app with LoopCore, LoopTracking and LoopLogging is: stripped, with a shared standard library. Fails if
it is larger than the limit, or links zlib.

    swift build -c release --product SmallApp && Tools/conformance/app_size.py
"""

import pathlib
import subprocess
import sys
import tempfile

from harness import ROOT

# In bytes: the aim of 1.8 MB, and 2 % more for other machines' linkers.
LIMIT = 1_836_000


def output_of(*command):
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def main():
    app = pathlib.Path(ROOT, ".build/release/SmallApp")
    if not app.exists():
        sys.exit(f"no app at {app}: build it with `swift build -c release --product SmallApp`")
    with tempfile.TemporaryDirectory() as folder:
        stripped = pathlib.Path(folder, "SmallApp")
        output_of("strip", "-o", str(stripped), str(app))
        said = output_of(str(stripped)).split()
        size = stripped.stat().st_size
        needed = [line.split("[")[1].rstrip("]") for line in output_of("readelf", "-d", str(stripped)).splitlines() if "(NEEDED)" in line]
    print(f"An app with LoopCore, LoopTracking and LoopLogging: {size / 1e6:.2f} MB stripped, with {', '.join(needed)}")
    if "item_added" not in said:
        sys.exit(f"The app did not track: {said}")
    if not any(name.startswith("libswiftCore") for name in needed):
        sys.exit("The standard library is not a shared one.")
    if any(name.startswith("libz.") for name in needed):
        sys.exit("The app links zlib.")
    if size > LIMIT:
        sys.exit(f"That is more than {LIMIT / 1e6:.2f} MB.")


if __name__ == "__main__":
    main()
