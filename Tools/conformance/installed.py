#!/usr/bin/env python3
"""Checks that the packages of a requirements file are installed in its versions: `installed.py requirements.txt`. Prints which are not."""

import importlib.metadata
import sys


def lacking(path: str) -> list[str]:
    found = []
    with open(path, encoding="utf-8") as file:
        for line in filter(None, (line.split("#")[0].strip() for line in file)):
            name, wanted = line.split("==")
            try:
                there = importlib.metadata.version(name)
            except importlib.metadata.PackageNotFoundError:
                there = "none"
            if there != wanted:
                found.append(f"{name} {wanted}, there is {there}")
    return found


def main() -> None:
    missing = lacking(sys.argv[1])
    print("\n".join(missing), end="\n" if missing else "")
    sys.exit(1 if missing else 0)


if __name__ == "__main__":
    main()
