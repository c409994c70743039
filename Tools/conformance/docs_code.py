#!/usr/bin/env python3
"""Checks that the code of the articles is code that CI compiles and runs: each ```swift block stands in Tests/ or in
the demo's shop, but for white space.

Which blocks: all of the catalogues under Sources/, of Dashboards/ and of README.md, their imports aside. Left out is what wants another library: blocks
under a line that begins with "Before", and the articles that are checked ELSEWHERE.
"""

import os
import pathlib
import re

import harness

ELSEWHERE = {
    # Its lines stand in programs of other libraries; Tests/LoopCoreTests/Adapters runs each on a loop of the same shape.
    "AddToAnExistingSystem.md",
    # Tests/AppleStubs/check.sh compiles it as it stands.
    "ViewsAndBindings.md",
}
BLOCK = re.compile(r"^```swift\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def normalised(code):
    """One blank between words; a folded list and a list in one line are the same, as are the commas that folding adds."""
    code = " ".join(re.sub(r"^import .*$", "", code, flags=re.MULTILINE).split())
    code = re.sub(r"\s*([(){}\[\],])\s*", r"\1", code)
    return re.sub(r",([)\]])", r"\1", code)


def blocks(text):
    """Pairs of a line number and a block's code."""
    for found in BLOCK.finditer(text):
        above = [line for line in text[:found.start()].split("\n") if line.strip()]
        if not (above and above[-1].startswith("Before")):
            yield text[:found.start()].count("\n") + 2, found.group(1)


def main():
    root = pathlib.Path(harness.ROOT)
    # The demo's shop is built and tested, too.
    sources = sorted(root.glob("Tests/**/*.swift")) + sorted(root.glob("Tools/ShopDemo/*.swift"))
    tested = [normalised(each.read_text()) for each in sources]
    articles = sorted(root.glob("Sources/*/*.docc/**/*.md")) + sorted(root.glob("Dashboards/**/*.md")) + [root / "README.md"]
    checks = harness.Checks()
    for article in (each for each in articles if each.name not in ELSEWHERE):
        for line, code in blocks(article.read_text()):
            first = code.strip().split("\n")[0]
            checks.that(
                f"{os.path.relpath(article, root)}:{line}: `{first}` …", any(normalised(code) in each for each in tested),
                "this code is in no test; keep it word for word in Tests/DocumentationTests")
    checks.close()


if __name__ == "__main__":
    main()
