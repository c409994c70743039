#!/usr/bin/env python3
"""Each test that the page of `looptrail inspect` copies compiles unchanged, passes, and fails at its step once the reducer is changed.

    swift build -c release --product looptrail && Tools/conformance/mutated_reducers.py --rounds 50

Records a random session of each app below. Then it changes the app's reducer by an operator, a number or a line at a time, and replays the
session. It copies the test of the first step that comes to another state from the page. Changes that come to the same wrong value at the
same step count once. Needs Chromium.
"""

import dataclasses
import itertools
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


@dataclasses.dataclass
class App:
    """An app: its types, the reducer that is changed, and Swift expressions for its events, from a `text` and a `number` up to 3."""

    name: str
    types: str
    reducer: str
    events: list[str]


# This app changes dictionaries, arrays and a flag in place.
BASKET = App(
    "Basket",
    """
public struct State: Codable, Equatable, Sendable { var items: [String: Int] = [:], total = 0, isRich = false, pages: [String] = [], swaps = 0 }
public enum Event: Codable, Sendable { case add(String, Int), remove(String), open(String), swap }
""",
    """
    Reducer { (state: inout State, event: Event) in
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
    }
""",
    [".add(text, number)", ".remove(text)", ".open(text)", ".swap"])

ROW = "system.state.rows.randomElement(using: &random)?.id ?? number"
# This app has parts (an optional child, and rows of a list), enums with values, and optionals.
CHAT = App(
    "Chat",
    """
public enum Mark: Codable, Equatable, Sendable { case none, starred(Int), failed(String) }
public enum Screen: Codable, Equatable, Sendable { case list, thread(id: Int, isPinned: Bool), found([Int]) }
public struct Row: Codable, Equatable, Sendable { public var id: Int; var text: String, likes = 0, mark = Mark.none, answers: Int? }
public struct Draft: Codable, Equatable, Sendable { var text = "", edits = 0, answers: Int? }
public struct State: Codable, Equatable, Sendable { var draft: Draft?, screen = Screen.list, unread = 0, sent = 0; public var rows: [Row] = [] }
public enum DraftEvent: Codable, Sendable { case type(String), answer(Int) }
public enum RowEvent: Codable, Sendable { case like, star(Int), fail(String) }
public enum Event: Codable, Sendable { case draft(DraftEvent), row(Int, RowEvent), write, send, open(Int), pin, find(String), back }
let draft = Part(\\State.draft, Event.draft)
let rows = Part(each: \\State.rows, id: \\.id, Event.row)
""",
    """
    .all(
        Reducer { (state: inout Draft, event: DraftEvent) in
            switch event {
            case .type(let text):
                state.text = state.text + text
                state.edits += 1
            case .answer(let id):
                state.answers = state.answers == id ? nil : id
                state.edits += 2
            }
        }.on(draft),
        Reducer { (state: inout Row, event: RowEvent) in
            switch event {
            case .like:
                state.likes += 1
                if state.likes > 2, state.mark == .none { state.mark = .starred(state.likes) }
            case .star(let count):
                if case .starred(let before) = state.mark { state.mark = .starred(max(before, count)) } else { state.mark = .starred(count) }
                state.likes += count - 1
            case .fail(let reason):
                state.mark = state.mark == .none ? .failed(reason) : .none
                state.likes = min(state.likes, 1)
            }
        }.on(rows),
        Reducer { (state: inout State, event: Event) in
            switch event {
            case .write: state.draft = state.draft ?? Draft()
            case .send:
                guard let draft = state.draft, !draft.text.isEmpty || draft.answers != nil else { return }
                state.rows.append(Row(id: state.sent, text: draft.text, answers: draft.answers))
                state.sent += 1
                state.draft = nil
                if state.rows.count > 6 { state.rows.removeFirst(3) }
                state.rows.sort { ($0.likes, $0.id) < ($1.likes, $1.id) }
            case .open(let id):
                state.unread = max(state.unread - 1, 0)
                state.screen = state.rows.contains { $0.id == id } ? .thread(id: id, isPinned: false) : .list
            case .pin:
                if case .thread(let id, let isPinned) = state.screen { state.screen = .thread(id: id, isPinned: !isPinned) }
                state.unread += 2
            case .find(let text):
                state.screen = .found(state.rows.filter { $0.text.contains(text) }.map(\\.id))
                state.unread = state.rows.first?.likes ?? 5
            case .back:
                state.screen = .list
                state.rows.removeAll { $0.likes == 0 && $0.answers != nil }
            case .draft, .row: state.unread += state.screen == .list ? 1 : 0
            }
        })
""",
    [
        ".write", ".draft(.type(text))", ".draft(.answer(number))", ".send", *(f".row({ROW}, {event})" for event in (".like", ".like", ".star(number)", ".fail(text)")),
        f".open({ROW})", ".pin", ".find(text)", ".back",
    ])

# The reducer of this app returns effects. Their events are in the recording, so a replay runs no effect.
SEARCH = App(
    "Search",
    """
public struct Page: Codable, Equatable, Sendable { var title: String, size: Int }
public enum Phase: Codable, Equatable, Sendable { case idle, asking(Int), shown(Page), failed(String) }
public struct State: Codable, Equatable, Sendable { var query = "", phase = Phase.idle, asked = 0, seen: [Page] = [], last: Page?, steps = 0 }
public enum Event: Codable, Sendable { case ask(String, Int), answered(Page), refused(String), open(Int), stop, counted, again }
""",
    """
    Reducer { (state: inout State, event: Event) in
        switch event {
        case .ask(let query, let size):
            state.query = query
            state.asked += 1
            state.phase = .asking(state.asked)
            return .run { size > 2 ? .refused(query) : .answered(Page(title: query, size: size)) }.id("ask")
        case .answered(let page):
            state.phase = .shown(page)
            state.last = page
            if state.seen.count >= 4 { state.seen.removeFirst() }
            state.seen.append(page)
            return .event(.counted)
        case .refused(let reason):
            state.phase = .failed(reason)
            state.last = state.seen.first ?? state.last
            return state.asked < 5 ? .event(.again) : .none
        case .open(let index):
            if state.seen.count > index { state.last = state.seen[index] }
            state.last?.size += 2
            return .events([.counted, .counted])
        case .stop:
            state.phase = .idle
            state.query = ""
            return .cancel("ask")
        case .counted:
            state.steps += state.seen.count + 1
            return .none
        case .again:
            state.steps -= 1
            state.asked = max(state.asked - 2, 1)
            return .none
        }
    }
""",
    [".ask(text, number)", ".open(number - 1)", ".stop"])

APPS = [BASKET, CHAT, SEARCH]
CHANGES = [
    (r"\+=", "-="), (r"-=", "+="), (r" > ", " >= "), (r" < ", " <= "), (r" >= ", " > "), (r" > ", " < "), (r" == ", " != "), (r" != ", " == "), (r"&&", "||"),
    (r"\|\|", "&&"), (r"\* 3", "* 2"), (r" - 1", " - 2"), (r"(?<!\$)\b(\d+)\b", "7"), (r"\btrue\b", "false"), (r"\bfalse\b", "true"), (r"!(?=\w)", ""),
    (r"removeFirst", "removeLast"), (r"append\((.*)\)", r"insert(\1, at: 0)"), (r"default: 0", "default: 1"), (r"\bmin\(", "max("), (r"\bmax\(", "min("),
    (r"\.first\?", ".last?"), (r"\.first \?\?", ".last ??"), (r"\? nil : id", "? id : nil"), (r"\.list\b", ".found([])"), (r"(?<=phase = )\.idle", ".asking(0)"),
    (r"\n +state\.[^\n{}]*(?=\n)", ""), (r"\n +if (?!case)[^\n]*\}(?= *\n)", ""),
]
SYSTEM = """
@MainActor public func makeSystem(_ number: Int? = nil) -> System<State, Event> {
    let number = number ?? Int(ProcessInfo.processInfo.environment["MUTANT"] ?? "") ?? 0
    return System(name: "NAME", initialState: State(), reducer: makeReducers[number]())
}
"""
RECORD = """
        var random = SeededRandom(seed: 5)
        let system = NAME.makeSystem(0).attach(.record(to: recorder))
        for _ in 0..<300 {
            let text = ["a", "b\\"c", "\\\\###(x)", "é\\n"].randomElement(using: &random)!
            let number = Int.random(in: 1...3, using: &random)
            switch Int.random(in: 0..<COUNT, using: &random) {
CASES
            }
            // Some events come before the answer to the one before them.
            if Int.random(in: 0..<3, using: &random) > 0 { await system.settled() }
        }
        await system.settled()
"""
PROGRAM = """
import LoopCore
import LoopLogFiles
import LoopRecording
import TrackingEvents
IMPORTS

@MainActor func replay<State: Codable, Event: Codable>(_ recording: Recording, into system: System<State, Event>) async throws {
    do {
        try await system.replay(recording)
        print(0)
    } catch ReplayError.diverged(let step, let path, let expected, let found) {
        print(step, path, expected, found, separator: "\\t")
    }
}

let (task, app, folder) = (CommandLine.arguments[1], CommandLine.arguments[2], CommandLine.arguments[3])
if task == "record" {
    let recorder = try Recorder(folder: folder)
    switch app {
RECORDS
    default: fatalError(app)
    }
    try await recorder.close()
} else {
    let recording = try Recording(contentsOf: folder)
    let number = Int(CommandLine.arguments[4])
    switch app {
REPLAYS
    default: fatalError(app)
    }
}
"""
MANIFEST = """// swift-tools-version: 6.2
import PackageDescription
func products(_ names: String...) -> [Target.Dependency] { names.map { .product(name: $0, package: "looptrail") } }
let apps = APPS
let package = Package(
    name: "mutants", platforms: [.macOS(.v15)], dependencies: [.package(name: "looptrail", path: "ROOT")],
    targets: apps.map { .target(name: $0, dependencies: products("LoopCore")) }
        + apps.map { .testTarget(name: $0 + "Tests", dependencies: [.byName(name: $0)] + products("LoopCore", "LoopRecording")) } + [
            .executableTarget(
                name: "record",
                dependencies: apps.map { .byName(name: $0) } + products("LoopCore", "LoopLogFiles", "LoopRecording", "TrackingEvents"))
        ])
"""


def mutants(app: App, dice: random.Random) -> list[str]:
    """The reducer, followed by each reducer that one change at one place makes of it, in random order."""
    changed = {
        app.reducer[:match.start()] + match.expand(replacement) + app.reducer[match.end():]
        for pattern, replacement in CHANGES for match in re.finditer(pattern, app.reducer)}
    others = sorted(changed - {app.reducer})
    dice.shuffle(others)
    return [app.reducer] + others


def swift(package: pathlib.Path, *command: str, mutant: int = 0) -> subprocess.CompletedProcess:
    return subprocess.run(
        ["swift", *command, "--package-path", str(package)], env={**os.environ, "MUTANT": str(mutant)}, capture_output=True, text=True)


def built(package: pathlib.Path, *command: str) -> None:
    answer = swift(package, "build", *command)
    if answer.returncode:
        sys.exit(answer.stdout[-3_000:] + answer.stderr[-3_000:])


def write(package: pathlib.Path, reducers: dict[str, list[str]]) -> None:
    """Writes a package that has a module and a target of tests for each app, and a program that records and replays the apps."""

    def file(path: str, text: str) -> None:
        (package / path).parent.mkdir(parents=True, exist_ok=True)
        (package / path).write_text(text)

    records, replays = "", ""
    for app in APPS:
        bodies = reducers[app.name]
        functions = "".join(f"@MainActor func makeReducer{number}() -> Reducer<State, Event> {{{body}}}\n" for number, body in enumerate(bodies))
        names = ", ".join(f"makeReducer{number}" for number in range(len(bodies)))
        file(
            f"Sources/{app.name}/{app.name}.swift",
            "import Foundation\npublic import LoopCore\n" + app.types + SYSTEM.replace("NAME", app.name) + functions
            + f"@MainActor let makeReducers: [@MainActor () -> Reducer<State, Event>] = [{names}]\n")
        file(
            f"Tests/{app.name}Tests/Support.swift",
            f"import LoopCore\nimport {app.name}\n\n@MainActor func makeSystem() -> System<State, Event> {{ {app.name}.makeSystem() }}\n")
        cases = [f"            case {index}: system.send({event})" for index, event in enumerate(app.events)]
        cases[-1] = cases[-1].replace(f"case {len(cases) - 1}", "default")
        filled = RECORD.replace("NAME", app.name).replace("COUNT", str(len(cases))).replace("CASES", "\n".join(cases))
        records += f'    case "{app.name}":{filled}'
        replays += f'    case "{app.name}": try await replay(recording, into: {app.name}.makeSystem(number))\n'
    imports = "\n".join(f"import {app.name}" for app in APPS)
    file("Sources/record/main.swift", PROGRAM.replace("IMPORTS", imports).replace("RECORDS", records).replace("REPLAYS", replays))
    file("Package.swift", MANIFEST.replace("ROOT", str(ROOT)).replace("APPS", json.dumps([app.name for app in APPS])))


def shown(binary: str, app: App, folder: str, count: int, checks: Checks) -> list[tuple[App, int, int]]:
    """The mutants whose replay of the session comes to another state, each with the step at which it does."""
    found, known = [], set()
    for number in range(count):
        answer = subprocess.run(
            [binary, "replay", app.name, folder, str(number)], env={**os.environ, "SWIFT_BACKTRACE": "enable=no"}, capture_output=True, text=True)
        if number == 0:
            checks.equal(f"the reducer of {app.name} comes to every state", answer.stdout, "0\n")
        # Leaves out mutants that crash, that come to the same states, and that differ in the same way as an earlier one.
        elif answer.returncode == 0 and answer.stdout != "0\n" and answer.stdout not in known:
            known.add(answer.stdout)
            found.append((app, number, int(answer.stdout.split("\t")[0])))
    return found


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
        package = pathlib.Path(options.keep or os.path.join(scratch, "mutants"))
        reducers = {app.name: mutants(app, dice) for app in APPS}
        write(package, reducers)
        built(package, "--product", "record")
        binary = str(package / ".build/debug/record")
        found = []
        for app in APPS:
            folder = os.path.join(scratch, app.name)
            subprocess.run([binary, "record", app.name, folder], check=True)
            found.append(shown(binary, app, folder, len(reducers[app.name]), checks))
        # Takes mutants of each app in turn, so that a few rounds have some of all.
        chosen = [one for row in itertools.zip_longest(*found) for one in row if one][:options.rounds]
        checks.equal("mutants", len(chosen), options.rounds)
        print("mutants:", ", ".join(f"{sum(one is app for one, _, _ in chosen)} of {len(all_of)} of {app.name}" for app, all_of in zip(APPS, found)), flush=True)
        with Browser(program) as browser:
            for app in APPS:
                path = os.path.join(scratch, f"{app.name}.html")
                Looptrail(options.binary).run("inspect", os.path.join(scratch, app.name), "-o", path)
                page = opened(browser, path)
                for step in {step for one, _, step in chosen if one is app}:
                    (package / f"Tests/{app.name}Tests/Step{step}.swift").write_text(ask(page, f"looptrail.test({step})"))
                page.close()
        built(package, "--build-tests")
        passed = swift(package, "test", "--skip-build")
        checks.that("each test passes with the unchanged reducer", passed.returncode == 0, (passed.stdout + passed.stderr)[-500:])
        for app, number, step in chosen:
            answer = swift(package, "test", "--skip-build", "--filter", f"{app.name}Tests", mutant=number)
            failure = rf'Test "?`?event {step}, [^\n]* recorded an issue[^\n]*: Caught error: [^\n]*event {step} led to another state'
            text = answer.stdout + answer.stderr
            checks.that(f"mutant {number} of {app.name} fails at step {step}", re.search(failure, text), text[-500:])
    checks.close()


if __name__ == "__main__":
    main()
