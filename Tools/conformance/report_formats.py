#!/usr/bin/env python3
"""Reads CSV with Python's strict reader and Markdown with GitHub's renderer, of reports over the demo and over hostile names.

    swift build -c release --product looptrail && Tools/conformance/report_formats.py

Needs `cmark-gfm` (Debian: `apt-get install cmark-gfm`).
"""

import csv
import html.parser
import io
import os
import subprocess
import tempfile

from harness import Checks, Looptrail, arguments, tool
from html_report import HOSTILE, quoted, write_hostile

# The tags of our own Markdown. Any other tag came from a name.
TAGS = {"h1", "h2", "h3", "p", "strong", "code", "table", "thead", "tbody", "tr", "th", "td", "details", "summary", "ul", "li"}


class Rendered(html.parser.HTMLParser):
    """The tags and attributes of a page, and the texts of its tables' rows."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.attributes, self.tables, self.texts = [], set(), [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attributes}
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("td", "th"):
            self.tables[-1][-1].append("")

    def handle_data(self, data):
        self.texts.append(data)
        if self.tables and self.tables[-1] and self.tables[-1][-1]:
            self.tables[-1][-1][-1] += data

    def handle_comment(self, data):
        self.tags.append("a comment")


def check_csv(checks, looptrail, name, call):
    # Reads bytes, because in text mode Python would make all line ends equal.
    text = looptrail.run(*call, "--format", "csv", "--quiet", text=False).stdout.decode()
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    checks.that(f"{name}: there are rows", len(rows) > 1)
    checks.that(f"{name}: every row is as long as the heading", all(len(row) == len(rows[0]) for row in rows))
    checks.that(f"{name}: lines end as RFC 4180 has it", text.endswith("\r\n") and text.count("\n") == text.count("\r\n") == len(rows))
    unsafe = [cell for row in rows for cell in row if cell.strip()[:1] in tuple("=+-@") and cell.strip() and not is_number(cell)]
    checks.equal(f"{name}: no cell is a formula", unsafe, [])
    checks.that(f"{name}: no control character", all(ch.isprintable() or ch in "\r\n\xa0\u3000\u200d" for ch in text), text[:300])
    return rows


def is_number(cell):
    try:
        float(cell)
        return True
    except ValueError:
        return False


def check_markdown(checks, looptrail, name, call):
    text = looptrail.run(*call, "--format", "md", "--quiet").stdout
    shown = subprocess.run(
        ["cmark-gfm", "--unsafe", "-e", "table", "-e", "autolink", "-e", "strikethrough", "-e", "tasklist"],
        input=text, stdout=subprocess.PIPE, text=True, check=True).stdout
    page = Rendered(shown)
    checks.equal(f"{name}: only our own markup", sorted(set(page.tags) - TAGS), [])
    checks.equal(f"{name}: only our own attributes", sorted(page.attributes - {"align"}), [])
    checks.that(f"{name}: rows fit their tables", page.tables and all(len(row) == len(table[0]) for table in page.tables for row in table))
    checks.that(f"{name}: no table's line stands as text", not any("| ---" in part or part.startswith("|") for part in page.texts))
    return page


def main():
    options = arguments(__doc__).parse_args()
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    with tempfile.TemporaryDirectory() as folder:
        demo, hostile = os.path.join(folder, "demo"), os.path.join(folder, "hostile.ndjson")
        looptrail.run("demo", demo, "--quiet")
        write_hostile(hostile)
        steps = "catalog_viewed > product_viewed > cart_added > payment_succeeded"
        calls = {
            "funnel": ["funnel", demo, "--steps", steps], "events": ["events", demo], "check": ["check", demo],
            "timings": ["timings", demo],
            "hostile funnel": ["funnel", hostile, "--steps", " > ".join(map(quoted, HOSTILE))],
            "hostile filter": ["funnel", hostile, "--steps", f"*[{quoted('|`=')}!={quoted('<b>|`')}] > {quoted(HOSTILE[1])}"],
            "hostile events": ["events", hostile], "hostile check": ["check", hostile],
        }
        rows = {name: check_csv(checks, looptrail, name, call) for name, call in calls.items()}

        report = looptrail.json("funnel", demo, "--steps", steps)
        table = [dict(zip(rows["funnel"][0], row)) for row in rows["funnel"][1:]]
        for row, step in zip(table, report["steps"], strict=True):
            checks.equal(f"step {step['index']}: name", row["name"], step["name"])
            for key in ("count", "of_first", "of_previous", "dropped"):
                checks.equal(f"step {step['index']}: {key}", float(row[key]), float(step[key]))
            for key in ("from_previous", "from_first"):
                for part in ("n", "mean", "p50", "p90", "p99"):
                    wanted = step[f"{key}_ms"] and step[f"{key}_ms"][part]
                    got = row[f"{key}_n" if part == "n" else f"{key}_{part}_ms"]
                    checks.equal(f"step {step['index']}: {key} {part}", float(got) if got else None, wanted and float(wanted))

        if tool("cmark-gfm"):
            for name, call in calls.items():
                page = check_markdown(checks, looptrail, name, call)
                if name == "hostile events":
                    names = {row[0].strip("\u2068\u2069\n") for row in page.tables[0][1:]}
                    for wanted in HOSTILE:
                        if wanted.isprintable():
                            checks.that(f"`{wanted[:30]}` is shown as it is", wanted in names, str(sorted(names)))
        else:
            checks.missing("cmark-gfm", "apt-get install cmark-gfm")
    checks.close()


if __name__ == "__main__":
    main()
