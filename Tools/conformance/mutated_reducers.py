#!/usr/bin/env python3
"""A test that the page of `looptrail inspect` copies compiles as it stands, passes, and fails at its step once the reducer is another.

    swift build -c release --product looptrail && Tools/conformance/mutated_reducers.py --rounds 50

A random session is recorded by one reducer. It is then changed by an operator, a number or a line at a time. For each of these the session is replayed:
the step at which it first comes to another state is the one whose test is copied from the page. Needs Chromium.
"""

import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

from browser import Browser
from harness import ROOT, Checks, Looptrail, arguments
from inspect_page import ask, opened

REDUCER = """
        switch event {
        case .add(let sku, let count):
            state.items[sku, default: 0] += count
            state.total += count * 3
            if state.total > 40 { state.isRich = true }
        case .remove(let sku):
            let count = state.items[sku, default: 0]
            if count > 0 {
                state.items[sku] = count - 1
                state.total -= 3
            }
            if state.total < 10 { state.isRich = false }
        case .open(let page):
            state.pages.append(page)
            if state.pages.count > 5 { state.pages.removeFirst(2) }
        case .swap:
            if state.pages.count >= 2 { state.pages.swapAt(0, state.pages.count - 1) }
            state.swaps += 1
        }
"""
CHANGES = [
    (r"\+=", "-="), (r"-=", "+="), (r" > ", " >= "), (r" < ", " <= "), (r" >= ", " > "), (r" > ", " < "), (r"\* 3", "* 2"), (r" - 1", " - 2"), (r"\b(\d+)\b", "7"),
    (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"removeFirst", "removeLast"), (r"append\(page\)", "insert(page, at: 0)"), (r"default: 0", "default: 1"),
    (r"\n +state\.[^\n{}]*", ""),
]
TYPES = """
public struct State: Codable, Equatable, Sendable { var items: [String: Int] = [:], total = 0, isRich = false, pages: [String] = [], swaps = 0 }
public enum Event: Codable, Sendable { case add(String, Int), remove(String), open(String), swap }
"""
SYSTEM = """
import Foundation
public import LoopCore
@MainActor public func makeSystem(_ number: Int? = nil) -> System<State, Event> {
    let number = number ?? Int(ProcessInfo.processInfo.environment["MUTANT"] ?? "") ?? 0
    return System(name: "mutant", initialState: State(), reducer: reducers[number])
}
"""
PROGRAM = """
import LoopLogFiles
import LoopRecording
import Mutants
import TrackingEvents
let folder = CommandLine.arguments[2]
if CommandLine.arguments[1] == "record" {
    var random = SeededRandom(seed: 5)
    let recorder = try Recorder(folder: folder)
    let system = makeSystem(0).attach(.record(to: recorder))
    for _ in 0..<300 {
        let text = ["a", "b\\"c", "\\\\###(x)", "é\\n"].randomElement(using: &random)!
        switch Int.random(in: 0..<4, using: &random) {
        case 0: system.send(.add(text, Int.random(in: 1...3, using: &random)))
        case 1: system.send(.remove(text))
        case 2: system.send(.open(text))
        default: system.send(.swap)
        }
    }
    try await recorder.close()
} else {
    do {
        try await makeSystem(Int(CommandLine.arguments[3])).replay(Recording(contentsOf: folder))
        print(0)
    } catch ReplayError.diverged(let step, _, _, _) {
        print(step)
    }
}
"""
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription
let package = Package(
    name: "mutants", platforms: [.macOS(.v15)], dependencies: [.package(name: "looptrail", path: "ROOT")],
    targets: [
        .target(name: "Mutants", dependencies: [.product(name: "LoopCore", package: "looptrail")]),
        .executableTarget(
            name: "record",
            dependencies: ["Mutants"] + ["LoopLogFiles", "LoopRecording", "TrackingEvents"].map { .product(name: $0, package: "looptrail") }),
        .testTarget(
            name: "CopiedTests", dependencies: ["Mutants"] + ["LoopCore", "LoopRecording"].map { .product(name: $0, package: "looptrail") }),
    ])
"""


def mutants(dice: random.Random) -> list[str]:
    """The reducer, each other one that a change at one point makes of it, and as many that a second change makes of those."""
    once = sorted(changed(REDUCER) - {REDUCER})
    twice = sorted({dice.choice(sorted(changed(one))) for one in once} - {REDUCER, *once})
    dice.shuffle(once)
    return [REDUCER] + once + twice


def changed(reducer: str) -> set[str]:
    return {
        reducer[:match.start()] + replacement + reducer[match.end():]
        for pattern, replacement in CHANGES for match in re.finditer(pattern, reducer)}


def swift(folder: str, *command: str, mutant: int = 0) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["swift", *command, "--package-path", folder], env={**os.environ, "MUTANT": str(mutant)}, capture_output=True, text=True)


def built(folder: str, *command: str) -> None:
    answer = swift(folder, "build", *command)
    if answer.returncode:
        sys.exit(answer.stdout[-3_000:] + answer.stderr[-3_000:])


def main() -> None:
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--keep", help="a folder for the package, so that it need not be built again")
    options = parser.parse_args()
    checks, dice = Checks(options.allow_missing), random.Random(options.seed)
    program = Browser.find()
    if not program:
        checks.missing("Chromium", "install chromium")
        checks.close()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.keep or os.path.join(scratch, "mutants")
        package = pathlib.Path(folder)
        for inside in ("Sources/Mutants", "Sources/record", "Tests/CopiedTests"):
            (package / inside).mkdir(parents=True, exist_ok=True)
        bodies = mutants(dice)
        reducers = ",\n".join("    { (state: inout State, event: Event) in" + body + "    }" for body in bodies)
        (package / "Package.swift").write_text(MANIFEST.replace("ROOT", str(ROOT)))
        (package / "Sources/Mutants/Mutants.swift").write_text(
            TYPES + SYSTEM + "public let reducers: [@MainActor @Sendable (inout State, Event) -> Void] = [\n" + reducers + "\n]\n")
        (package / "Sources/record/main.swift").write_text(PROGRAM)
        (package / "Tests/CopiedTests/Support.swift").write_text(
            "import LoopCore\nimport Mutants\n\n@MainActor func makeSystem() -> System<State, Event> { Mutants.makeSystem() }\n")
        built(folder, "--product", "record")
        recordings = os.path.join(scratch, "recordings")
        binary = str(package / ".build/debug/record")
        subprocess.run([binary, "record", recordings], check=True)
        answers = [
            subprocess.run([binary, "replay", recordings, str(number)], capture_output=True, text=True) for number in range(len(bodies))]
        checks.equal("the reducer itself comes to every state", answers[0].stdout, "0\n")
        # Left out are changes that crash, and those that no event of the session shows.
        steps = [int(answer.stdout) if answer.returncode == 0 else 0 for answer in answers]
        chosen = [(number, step) for number, step in enumerate(steps) if step][:options.rounds]
        checks.equal("mutants", len(chosen), options.rounds)
        path = os.path.join(scratch, "inspect.html")
        Looptrail(options.binary).run("inspect", recordings, "-o", path)
        with Browser(program) as browser:
            page = opened(browser, path)
            for step in {step for _, step in chosen}:
                (package / f"Tests/CopiedTests/Step{step}.swift").write_text(ask(page, f"looptrail.test({step})"))
            page.close()
        built(folder, "--build-tests")
        passed = swift(folder, "test", "--skip-build")
        checks.that("each test passes before", passed.returncode == 0, (passed.stdout + passed.stderr)[-500:])
        for number, step in chosen:
            answer = swift(folder, "test", "--skip-build", mutant=number)
            failure = rf'Test "?`?event {step}, [^\n]* recorded an issue[^\n]*: Caught error: [^\n]*event {step} led to another state'
            text = answer.stdout + answer.stderr
            checks.that(f"mutant {number} fails at step {step}", re.search(failure, text), text[-500:])
    checks.close()


if __name__ == "__main__":
    main()
