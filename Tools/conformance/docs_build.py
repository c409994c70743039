#!/usr/bin/env python3
"""Builds the documentation of every module with the toolchain's own docc; a warning is a failure.

Symbol graphs come from what `swift build` has compiled. Modules are converted in the order of their imports, so that links into
another module are checked too.
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from harness import ROOT

IDENTIFIERS = "looptrail"
# Folders of the C modules that the compiled modules import.
C_MODULES = [flag for map in sorted(pathlib.Path(ROOT, "Sources").rglob("module.modulemap")) for flag in ("-I", str(map.parent))]


def output_of(*command: str) -> str:
    return subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout


def toolchain(tool: str) -> str:
    """The path of a tool in the folder of the `swift` that is in use."""
    path = os.path.join(os.path.dirname(os.path.realpath(shutil.which("swift"))), tool)
    if not os.path.exists(path):
        sys.exit(f"The toolchain has no {tool} ({path}).")
    return path


def modules() -> dict[str, list[str]]:
    """Name -> names of the modules that it imports, for every target under Sources/ except system libraries."""
    package = json.loads(output_of("swift", "package", "dump-package", "--ignore-lock"))
    found = {}
    for target in package["targets"]:
        folder = target.get("path") or f"Sources/{target['name']}"
        if target["type"] == "regular" and folder.startswith("Sources/"):
            found[target["name"]] = [each["byName"][0] for each in target["dependencies"] if "byName" in each]
    return {name: [each for each in imports if each in found] for name, imports in found.items()}


def in_order(imports: dict[str, list[str]]) -> list[str]:
    done = []
    while len(done) < len(imports):
        ready = [name for name in imports if name not in done and all(each in done for each in imports[name])]
        done.extend(ready)
    return done


def with_imports(name: str, imports: dict[str, list[str]]) -> list[str]:
    """All modules that a module imports, directly or not."""
    found = []
    for each in imports[name]:
        found += [other for other in with_imports(each, imports) if other not in found]
        if each not in found:
            found.append(each)
    return found


def extract(name: str, target: str, compiled: str, folder: pathlib.Path) -> list[pathlib.Path]:
    folder.mkdir()
    subprocess.run(
        ["swift", "symbolgraph-extract", "-module-name", name, "-target", target, "-I", compiled, *C_MODULES,
         "-minimum-access-level", "public", "-skip-synthesized-members", "-emit-extension-block-symbols",
         "-output-dir", folder],
        check=True, stdout=subprocess.DEVNULL)
    # Extensions of other modules' types are in files of their own.
    return sorted(folder.glob("*.symbols.json"))


def convert(
    name: str, graphs: pathlib.Path, archives: pathlib.Path, imports: dict[str, list[str]], output: pathlib.Path
) -> bool:
    command = [toolchain("docc"), "convert"]
    catalogue = pathlib.Path(ROOT, "Sources", name, f"{name}.docc")
    if catalogue.exists():
        command.append(catalogue)
    command += [
        "--additional-symbol-graph-dir", graphs, "--output-path", output, "--warnings-as-errors",
        "--fallback-display-name", name, "--fallback-bundle-identifier", f"{IDENTIFIERS}.{name}",
        "--enable-experimental-external-link-support",
        # A comment may describe one parameter and leave out others, such as the `isolation` of every signature.
        "--disable-parameters-and-returns-validation",
    ]
    for each in with_imports(name, imports):
        command += ["--dependency", archives / f"{each}.doccarchive"]
    ended = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(ended.stdout, end="")
    return ended.returncode == 0 and "warning:" not in ended.stdout


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--output", help="keep the archives in this folder, for `docc preview` or a web server")
    arguments.add_argument("module", nargs="*", help="only these, and what they import")
    given = arguments.parse_args()

    compiled = os.path.join(output_of("swift", "build", "--ignore-lock", "--show-bin-path").strip(), "Modules")
    target = json.loads(output_of("swift", "-print-target-info"))["target"]["triple"]
    imports = modules()
    wanted = set(given.module or imports)
    wanted |= {each for name in wanted for each in with_imports(name, imports)}
    failed = []
    with tempfile.TemporaryDirectory() as scratch:
        archives = pathlib.Path(given.output or scratch, "archives")
        archives.mkdir(parents=True, exist_ok=True)
        for name in (name for name in in_order(imports) if name in wanted):
            graphs = pathlib.Path(scratch, name)
            count = sum(len(json.loads(each.read_text())["symbols"]) for each in extract(name, target, compiled, graphs))
            is_whole = convert(name, graphs, archives, imports, archives / f"{name}.doccarchive")
            print(f"{'ok    ' if is_whole else 'FAILED'}  {name}: {count} symbols", flush=True)
            if not is_whole:
                failed.append(name)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
