#!/usr/bin/env python3
"""Compiles every library against the public interfaces of the standard modules, which are all that Xcode ships, so `@_spi` imports fail.

It does so for a Mac, as far as this machine can: the interfaces get a Mac's target, and the stubs in `Tests/AppleStubs` declare the calls
of C. The compiler then refuses calls that are newer than the deployment target of Package.swift. A library that needs Foundation, and what
it imports, is compiled for this machine. Code that needs Apple's frameworks is left out; `Tests/AppleStubs/check.sh` compiles it.

Each check first shows that it refuses what it must. The standard modules are built once and kept in `.build/interfaces`.
"""

import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
STUBS = ROOT / "Tests/AppleStubs"
FLAGS = ["-swift-version", "6", "-warnings-as-errors", "-package-name", "looptrail", "-parse-as-library", "-wmo"] + [
    word for name in ("ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "NonisolatedNonsendingByDefault")
    for word in ("-enable-upcoming-feature", name)]
NEEDS_FOUNDATION = {"EventUpload"}
# What is not in a public interface, and the compiler's answer.
SPI = ("@_spi(Reflection) import Swift\nfunc walk() { _forEachField(of: Int.self) { _, _, _, _ in true } }\n",
       "cannot find '_forEachField' in scope")


def deployment_target():
    return re.search(r"\.macOS\(\.v(\d+)\)", (ROOT / "Package.swift").read_text()).group(1) + ".0"


def libraries():
    """The Swift modules under Sources, each with those that it imports. A module comes after its imports."""
    # --ignore-lock does not wait for a build that runs at the same time.
    words = ["swift", "package", "describe", "--ignore-lock", "--type", "json"]
    described = json.loads(subprocess.run(words, cwd=ROOT, check=True, capture_output=True).stdout)
    needed = {target["name"]: target.get("target_dependencies", []) for target in described["targets"]
              if target["path"].startswith("Sources/") and target["module_type"] == "SwiftTarget"}
    ordered = []

    def add(name):
        if name in needed and name not in ordered:
            for other in needed[name]:
                add(other)
            ordered.append(name)

    for name in sorted(needed):
        add(name)
    return [(name, {other for other in needed[name] if other in needed}) for name in ordered]


def with_imports(names, libraries):
    """The libraries with these names, and all that they import, in the same order."""
    wanted = set(names)
    for name, imports in reversed(libraries):
        wanted |= imports if name in wanted else set()
    return [library for library in libraries if library[0] in wanted]


class Toolchain:
    """The compiler with a resource folder of its own, whose standard modules are interfaces to build."""

    def __init__(self, name, scratch):
        info = json.loads(subprocess.run(["swiftc", "-print-target-info"], check=True, capture_output=True).stdout)
        self.original = pathlib.Path(info["paths"]["runtimeResourcePath"])
        self.triple = info["target"]["unversionedTriple"]
        version = hashlib.sha256((info["compilerVersion"] + pathlib.Path(__file__).read_text()).encode()).hexdigest()[:12]
        self.home = ROOT / ".build/interfaces" / f"{name}-{version}"
        self.resources = self.home / "resources"
        self.made = scratch / name
        self.made.mkdir()
        self.flags = ["-resource-dir", str(self.resources), "-module-cache-path", str(self.home / "cache"), "-I", str(self.made)]

    def make(self, platform, interface_name, edit, modules=None):
        """Makes the resource folder: copies the public interfaces of this machine's modules, and links everything else."""
        if self.resources.exists():
            return
        folder = self.home / "resources.new"
        shutil.rmtree(folder, ignore_errors=True)
        (folder / platform).mkdir(parents=True)
        for path in self.original.iterdir():
            if path.name != "linux":
                (folder / path.name).symlink_to(path)
        for path in (self.original / "linux").iterdir():
            interface = path / f"{self.triple}.swiftinterface"
            if interface.exists() and (modules is None or path.stem in modules):
                (folder / platform / path.name).mkdir()
                # Only the optimizer needs the bodies of functions. Without them the modules are built in a third of the time.
                text = edit(interface.read_text()).replace(" -O ", " -Onone -experimental-skip-all-function-bodies ", 1)
                (folder / platform / path.name / interface_name).write_text(text)
            elif modules is None:
                # A module without an interface, such as Foundation, is no standard module.
                (folder / platform / path.name).symlink_to(path)
        folder.rename(self.resources)

    def compile(self, name, files, *flags):
        return subprocess.run(
            ["swiftc", *FLAGS, *self.flags, *flags, "-module-name", name, "-emit-module", "-emit-module-path",
             str(self.made / f"{name}.swiftmodule"), *map(str, files)], capture_output=True, text=True)

    def require(self, name, files, *flags):
        done = self.compile(name, files, *flags)
        if done.returncode != 0:
            sys.exit(f"{name}:\n{done.stdout}{done.stderr}")

    def require_refusal(self, code, message):
        planted = self.made / "Planted.swift"
        planted.write_text(code)
        done = self.compile("Planted", [planted])
        if done.returncode == 0 or message not in done.stderr:
            sys.exit(f"Not refused with '{message}':\n{code}\n{done.stderr}")

    def compile_all(self, libraries):
        for name, _ in libraries:
            self.require(name, sorted((ROOT / "Sources" / name).rglob("*.swift")))
        return len(libraries)


def public_interfaces(scratch, libraries):
    toolchain = Toolchain("public", scratch)
    toolchain.make("linux", f"{toolchain.triple}.swiftinterface", lambda text: text)
    toolchain.flags += [flag for name in ("CZlib", "CGlibc", "CPages/include") for flag in ("-I", str(ROOT / "Sources" / name))]
    toolchain.require_refusal(*SPI)
    toolchain.require_refusal("func number() -> Int { \"one\" }\n", "cannot convert return expression")
    count = toolchain.compile_all(with_imports(NEEDS_FOUNDATION, libraries))
    return f"{count} libraries compile against this machine's public interfaces"


def mac(scratch, libraries):
    target = f"x86_64-apple-macosx{deployment_target()}"
    toolchain = Toolchain("mac", scratch)

    def retarget(text):
        text = text.replace(toolchain.triple, target).replace(" -O ", " -O -disable-availability-checking ", 1)
        return re.sub(r"@backDeployed\([^)]*\)", "", re.sub(r"(?m)^import Glibc\n", "", text))

    standard = {"Swift", "_Concurrency", "Observation", "Synchronization", "_StringProcessing", "SwiftOnoneSupport"}
    toolchain.make("macosx", "x86_64-apple-macos.swiftinterface", retarget, standard)
    toolchain.flags += ["-target", target, "-Xfrontend", "-disable-objc-interop", "-I", str(STUBS / "Darwin"), "-I", str(STUBS / "zlib"),
                        "-I", str(ROOT / "Sources/CPages/include")]
    toolchain.require("Darwin", [STUBS / "Darwin/Darwin.swift"])
    toolchain.require_refusal(*SPI)
    newer = "@MainActor func begin() -> Task<Int, Never> { Task.immediate { 1 } }\n"
    toolchain.require_refusal(newer, "is only available in macOS 26")
    toolchain.require_refusal("import Darwin\nlet room = malloc_trim(0)\n", "cannot find 'malloc_trim' in scope")
    count = toolchain.compile_all([library for library in libraries if library[0] not in NEEDS_FOUNDATION])
    return f"{count} libraries compile for {target}"


def main():
    names = libraries()
    with tempfile.TemporaryDirectory() as scratch, concurrent.futures.ThreadPoolExecutor() as threads:
        checks = [threads.submit(check, pathlib.Path(scratch), names) for check in (public_interfaces, mac)]
        for check in checks:
            print(check.result())


if __name__ == "__main__":
    main()
