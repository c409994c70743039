#!/usr/bin/env python3
"""Compiles the ```swift examples in the `///` comments of Sources/ against the modules that `swift build --build-tests` has made.

    Tools/conformance/docs_comments.py                          # every module but those of ELSEWHERE
    Tools/conformance/docs_comments.py LoopCore                 # one module
    Tools/conformance/docs_comments.py --define SwiftLog LoopLogging   # with the examples of a trait
    Tools/conformance/docs_comments.py --write FOLDER LoopViews        # only writes the files that would be compiled

Each example becomes the body of a function of its own, on the main actor, `async throws`. If an example has an extension or an
`@Observable` type, its types stand beside that function. So do tests. A line that is `…` is left out. An example of a file that begins with
`#if` is compiled under that condition. A prelude declares what examples take for granted, such as a `Shop` with a reducer. A module's is
Tests/DocumentationPreludes/<Module>.swift. That of one source file is <Module>/<File>.swift there, in the same scope as the example.
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from docs_build import C_MODULES, modules, output_of
from harness import ROOT, Checks

PRELUDES = pathlib.Path(ROOT, "Tests", "DocumentationPreludes")
# All examples of these modules need SwiftUI: Tests/AppleStubs/check.sh compiles them.
ELSEWHERE = {"LoopViews"}
# What the stubs there are imported with. Examples of LoopMigration that need none of Apple's frameworks are compiled here, too.
STUBBED = {"LoopViews": ["LoopCore", "LoopViews", "SwiftUI"],
           "LoopMigration": ["LoopCore", "LoopFlux", "LoopMigration", "LoopViews", "SwiftUI", "UIKit"]}
# Examples that are not compiled: a file's name and the example's beginning, with the reason.
EXEMPT: dict[tuple[str, str], str] = {}
COMMENT = re.compile(r"^\s*/// ?(.*)$")
TYPE = re.compile(r"^(?:(?:@\w+|final|public|private|indirect|nonisolated) )*(?:struct|enum|class|actor|protocol|extension|typealias)\b")


class Example:
    def __init__(self, path: pathlib.Path, line: int, code: list[str], condition: str | None):
        self.path, self.line, self.code, self.condition = path, line, code, condition

    @property
    def title(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}"

    @property
    def module(self) -> str:
        return self.path.relative_to(ROOT).parts[1]


def examples(module: str) -> list[Example]:
    """Every fenced block marked `swift`, without the slashes."""
    found = []
    for path in sorted(pathlib.Path(ROOT, "Sources", module).glob("**/*.swift")):
        start, code = 0, []
        lines = path.read_text(encoding="utf-8").split("\n")
        condition = next((line for line in lines if line and not line.startswith(("//", "import ", "public import "))), "")
        condition = condition if condition.startswith("#if ") else None
        for number, line in enumerate(lines, 1):
            comment = COMMENT.match(line)
            text = comment[1] if comment else None
            if start and (text is None or text == "```"):
                found.append(Example(path, start, code, condition))
                start = 0
            elif start:
                code.append("" if text == "…" else text)
            elif text == "```swift":
                start, code = number + 1, []
    return found


def chunks(code: list[str]) -> list[tuple[int, list[str]]]:
    """Declarations and statements with the number of their first line, counted from 0. Each begins at the margin."""
    found: list[tuple[int, list[str]]] = []
    for number, line in enumerate(code):
        continues = not line.strip() or line[0] in " \t})].?:" or (found and found[-1][1][-1].startswith("@") and " " not in found[-1][1][-1])
        if found and continues:
            found[-1][1].append(line)
        else:
            found.append((number, [line]))
    return found


def source(example: Example, number: int, imports: list[str]) -> str:
    """The file of one example. Errors are reported at the example's own line."""
    prelude = PRELUDES / example.module / example.path.name
    parts = [(prelude, at + 1, lines) for at, lines in chunks(prelude.read_text(encoding="utf-8").rstrip().split("\n"))] if prelude.exists() else []
    parts += [(example.path, example.line + at, lines) for at, lines in chunks(example.code)]
    at_top = any(lines[0].startswith("extension") or "@Observable" in lines[0] for _, _, lines in parts)
    top, body = [f"import {name}" for name in imports], [f"@MainActor private func example{number}() async throws {{"]
    for path, line, lines in parts:
        if lines[0].startswith("import "):
            top += lines
            continue
        text = [f'#sourceLocation(file: "{path}", line: {line})', *lines]
        goes_to_top = lines[0].startswith("private ") or "@Test" in lines[0] or at_top and TYPE.match(lines[0])
        if goes_to_top and not lines[0].startswith(("private ", "extension", "@")):
            text[1] = "private " + text[1]
        (top if goes_to_top else body).extend(text)
    text = [*top, *body, "#sourceLocation()", "}", ""]
    return "\n".join([example.condition, *text, "#endif", ""] if example.condition else text)


def write(folder: pathlib.Path, module: str, imports: list[str]) -> list[Example]:
    """One file for each example, and the module's prelude."""
    found = [one for one in examples(module) if not any(one.path.name == name and one.code[0].startswith(start) for name, start in EXEMPT)]
    prelude = PRELUDES / f"{module}.swift"
    if found and prelude.exists():
        text = prelude.read_text(encoding="utf-8")
        (folder / f"{module}Prelude.swift").write_text(f'#sourceLocation(file: "{prelude}", line: 1)\n{text}', encoding="utf-8")
    for number, one in enumerate(found):
        (folder / f"{module}Example{number:02}.swift").write_text(source(one, number, ["Foundation", *imports]), encoding="utf-8")
    return found


def compile_module(checks: Checks, module: str, imports: list[str], compiled: str, defines: list[str]) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        found = write(folder, module, imports)
        if not found:
            return
        command = [
            "swiftc", "-swift-version", "6", "-parse-as-library", "-suppress-warnings", "-wmo", "-module-name", "Examples", "-c",
            "-o", str(folder / "examples.o"), "-I", compiled, *C_MODULES]
        command += [f"-D{each}" for each in defines]
        for feature in ("ExistentialAny", "MemberImportVisibility", "InternalImportsByDefault", "NonisolatedNonsendingByDefault"):
            command += ["-enable-upcoming-feature", feature]
        ended = subprocess.run(command + sorted(map(str, folder.glob("*.swift"))), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        errors = [line for line in ended.stdout.split("\n") if " error: " in line]
        checks.that(f"{module}: {len(found)} examples", ended.returncode == 0, "\n" + "\n".join(errors or [ended.stdout]))
        checks.passed += len(found) - 1 if ended.returncode == 0 else 0
        apart = [each.condition for each in found if each.condition and not any(each.condition == f"#if {one}" for one in defines)]
        print(f"{module}: {len(found)} examples" + "".join(f", one only {condition[1:]}" for condition in apart), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", metavar="FOLDER", help="only write the files, for another compiler call")
    parser.add_argument("--define", action="append", default=[], metavar="TRAIT", help="compile the examples behind `#if TRAIT`, too")
    parser.add_argument("module", nargs="*")
    given = parser.parse_args()
    # Users cannot import Basics. Every example imports the other modules, as the articles do from which readers come.
    imports = [name for name in modules() if name != "Basics"]
    wanted = given.module or [name for name in imports if name not in ELSEWHERE]
    if given.write:
        count = sum(len(write(pathlib.Path(given.write), name, STUBBED.get(name, imports))) for name in wanted)
        sys.exit(0 if count else f"no example in {' '.join(wanted)}")
    checks = Checks()
    for (name, start), reason in EXEMPT.items():
        is_there = any(one.path.name == name and one.code[0].startswith(start) for module in imports for one in examples(module))
        checks.that(f"{name}: `{start}` …, not compiled because {reason}", is_there, "there is no such example any more")
    compiled = os.path.join(output_of("swift", "build", "--ignore-lock", "--show-bin-path").strip(), "Modules")
    for name in wanted:
        compile_module(checks, name, imports, compiled, given.define)
    checks.close()


if __name__ == "__main__":
    main()
