#!/usr/bin/env python3
"""Checks that the code of the articles is code that CI compiles and runs: each ```swift block must stand in Tests/ or in the demo's shop.
White space and imports may differ.

The articles are those of the catalogues under Sources/, of Dashboards/ and README.md. Code that needs another library is left out: blocks
under a line that begins with "Before", and the articles in ELSEWHERE.
"""

import os
import pathlib
import re

import harness

ELSEWHERE = {
    # Its code belongs in programs that use other libraries. Tests/LoopMigrationTests/OtherLibraries runs each on a loop of the same shape.
    "AddToAnExistingSystem.md",
    # Tests/AppleStubs/check.sh compiles it as it stands.
    "ViewsAndBindings.md",
}
BLOCK = re.compile(r"^```swift\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def normalised(code):
    """Code without imports and with one blank between words. A folded list equals the same list on one line, without its last comma."""
    code = " ".join(re.sub(r"^import .*$", "", code, flags=re.MULTILINE).split())
    code = re.sub(r"\s*([(){}\[\],])\s*", r"\1", code)
    return re.sub(r",([)\]])", r"\1", code)


def blocks(text):
    """Pairs of a line number and a block's code, except for blocks under "Before"."""
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
