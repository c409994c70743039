#!/usr/bin/env python3
"""Lints Grafana boards: the data source is a variable everywhere, ids are unique, nothing overlaps, every axis has its unit.

    Tools/conformance/boards.py                      # all of Dashboards/grafana
    Tools/conformance/boards.py path/to/board.json …
    Tools/conformance/boards.py --self-test          # each rule finds the fault that it is for
"""

import argparse
import copy
import glob
import json
import os
import sys
from collections.abc import Iterator
from typing import Any

from harness import ROOT

Json = dict[str, Any]
BOARDS = os.path.join(ROOT, "Dashboards", "grafana")
COLUMNS = 24
# Panels of these types run no query, so they need neither data source nor unit.
SILENT = {"text", "row", "news", "dashlist"}
# Grafana's built-in data sources, which annotations may use.
BUILT_IN = {"-- Grafana --", "grafana", "-- Dashboard --", "-- Mixed --"}
# The keys under which the kinds of data sources keep a query's text.
QUERY_KEYS = ("expr", "rawSql", "query")


def find_boards() -> list[str]:
    """The paths of all boards. They are the JSON files, because files for provisioning are YAML."""
    return sorted(glob.glob(os.path.join(BOARDS, "**", "*.json"), recursive=True))


def panels_of(board: Json) -> Iterator[Json]:
    """All panels, also those inside collapsed rows."""
    for panel in board.get("panels", []):
        yield panel
        yield from panel.get("panels", [])


def targets_of(board: Json) -> Iterator[tuple[Json, Json]]:
    """(panel, target) for each query of the board."""
    for panel in panels_of(board):
        for target in panel.get("targets", []):
            yield panel, target


def query_of(target: Json) -> str | None:
    return next((target[key] for key in QUERY_KEYS if isinstance(target.get(key), str) and target[key].strip()), None)


def name_of(panel: Json) -> str:
    return f"panel {panel.get('id')} `{panel.get('title', '')}`"


def lint(board: Json) -> list[str]:
    """The faults of a board, as messages. A sound board has none."""
    faults = []
    for key in ("title", "uid", "schemaVersion", "panels", "time", "templating"):
        if key not in board:
            faults.append(f"the board has no `{key}`")
    if board.get("id") is not None:
        faults.append("the board has an `id`: that is an instance's own, and a board that is provisioned has none")
    variables = board.get("templating", {}).get("list", [])
    sources = {one.get("name"): one.get("query") for one in variables if one.get("type") == "datasource"}
    if "datasource" not in sources:
        faults.append("there is no variable `datasource` of type `datasource`")
    names = [one.get("name") for one in variables]
    faults += [f"the variable `{name}` is there twice" for name in sorted({n for n in names if names.count(n) > 1}, key=str)]
    faults += [fault for variable in variables for fault in lint_variable(variable, sources)]
    for annotation in board.get("annotations", {}).get("list", []):
        faults += lint_source(f"annotation `{annotation.get('name')}`", annotation.get("datasource"), sources, allow_built_in=True)
    panels = list(panels_of(board))
    if not any(panel.get("type") not in SILENT for panel in panels):
        faults.append("no panel asks anything")
    ids = [panel.get("id") for panel in panels]
    faults += [f"the id {one} is there {ids.count(one)} times" for one in sorted({i for i in ids if ids.count(i) > 1}, key=str)]
    titles = [panel.get("title") for panel in panels if panel.get("type") != "row"]
    faults += [f"two panels are titled `{one}`" for one in sorted({t for t in titles if t and titles.count(t) > 1})]
    for panel in panels:
        faults += lint_panel(panel, sources)
    faults += lint_places(board.get("panels", []))
    for panel in board.get("panels", []):
        faults += lint_places(panel.get("panels", []))
    faults += unknown_variables(board, set(names))
    faults += hard_wired(board)
    return faults


def lint_variable(variable: Json, sources: Json) -> list[str]:
    if variable.get("type") != "query":
        return []
    return lint_source(f"variable `{variable.get('name')}`", variable.get("datasource"), sources)


def lint_source(what: str, source: Any, sources: Json, allow_built_in: bool = False) -> list[str]:
    """The fault of a data source that is not one of the board's variables, or not of that variable's type."""
    if not isinstance(source, dict):
        return [f"{what} has no `datasource` with type and uid"]
    uid, kind = source.get("uid"), source.get("type")
    if allow_built_in and uid in BUILT_IN:
        return []
    name = uid.strip("${}") if isinstance(uid, str) and uid.startswith("$") else None
    if name is None:
        return [f"{what} is wired to the data source `{uid}`; write `${{datasource}}`"]
    if name not in sources:
        return [f"{what} names the variable `{name}`, which is no data source of this board"]
    if kind != sources[name]:
        return [f"{what} is of type `{kind}`, and its variable chooses from `{sources[name]}`"]
    return []


def lint_panel(panel: Json, sources: Json) -> list[str]:
    what, faults = name_of(panel), []
    if not isinstance(panel.get("id"), int):
        faults.append(f"{what} has no id")
    if not str(panel.get("title", "")).strip():
        faults.append(f"{what} has no title")
    if panel.get("type") in SILENT:
        return faults
    if not str(panel.get("description", "")).strip():
        faults.append(f"{what} has no description: what does one learn from it?")
    faults += lint_source(what, panel.get("datasource"), sources)
    targets = panel.get("targets", [])
    if not targets:
        faults.append(f"{what} has no targets")
    letters = [target.get("refId") for target in targets]
    if len(set(letters)) != len(letters) or not all(letters):
        faults.append(f"{what}: each target needs a refId of its own, they are {letters}")
    for target in targets:
        faults += lint_source(f"{what}, target {target.get('refId')}", target.get("datasource"), sources)
        if query_of(target) is None:
            faults.append(f"{what}, target {target.get('refId')} has no query")
    if not panel.get("fieldConfig", {}).get("defaults", {}).get("unit"):
        faults.append(f"{what} has no unit; `short` is the one for plain numbers")
    return faults


def lint_places(panels: list[Json]) -> list[str]:
    faults, taken = [], {}
    for panel in panels:
        place = panel.get("gridPos", {})
        x, y, w, h = (place.get(key) for key in "xywh")
        if not all(isinstance(one, int) for one in (x, y, w, h)):
            faults.append(f"{name_of(panel)} has no whole gridPos")
            continue
        if x < 0 or y < 0 or w < 1 or h < 1 or x + w > COLUMNS:
            faults.append(f"{name_of(panel)} does not fit into the {COLUMNS} columns: {place}")
        for cell in ((column, row) for column in range(x, x + w) for row in range(y, y + h)):
            if cell in taken:
                faults.append(f"{name_of(panel)} lies over {name_of(taken[cell])}")
                break
            taken[cell] = panel
    return faults


def unknown_variables(board: Json, names: set) -> list[str]:
    """Faults of queries that use other variables than the board's and Grafana's own, which begin with two underscores."""
    faults = []
    for panel, target in targets_of(board):
        query, start = query_of(target) or "", 0
        while (start := query.find("$", start)) >= 0:
            rest = query[start + 1 :]
            start += 1
            inner = rest[1:] if rest.startswith("{") else rest
            name = ""
            for letter in inner:
                if not (letter.isalnum() or letter == "_"):
                    break
                name += letter
            if name and not name[0].isdigit() and not name.startswith("__") and name not in names:
                faults.append(f"{name_of(panel)}, target {target.get('refId')} uses `${name}`, which the board does not have")
    return faults


def hard_wired(value: Any, path: str = "") -> list[str]:
    """A fault for each `datasource` that is a string and no object. This old form names a data source of one instance."""
    faults = []
    if isinstance(value, dict):
        for key, inner in value.items():
            if key == "datasource" and isinstance(inner, str):
                faults.append(f"`{path}.datasource` is the text `{inner}`; write an object with type and uid")
            faults += hard_wired(inner, f"{path}.{key}")
    elif isinstance(value, list):
        for place, inner in enumerate(value):
            faults += hard_wired(inner, f"{path}[{place}]")
    return faults


SOUND = {
    "title": "Sound", "uid": "sound", "schemaVersion": 39, "time": {"from": "now-1h", "to": "now"},
    "templating": {"list": [{"name": "datasource", "type": "datasource", "query": "prometheus"}]},
    "panels": [
        {"id": number, "type": "timeseries", "title": f"Panel {number}", "description": "How much.",
         "datasource": {"type": "prometheus", "uid": "${datasource}"}, "gridPos": {"x": 12 * (number - 1), "y": 0, "w": 12, "h": 8},
         "fieldConfig": {"defaults": {"unit": "s"}},
         "targets": [{"refId": "A", "expr": "rate(up[$__rate_interval])", "datasource": {"type": "prometheus", "uid": "${datasource}"}}]}
        for number in (1, 2)
    ],
}


def self_test() -> int:
    """Puts each fault into a sound board, where `lint` must find it. Returns how many checks failed."""
    def first(board: Json) -> Json:
        return board["panels"][0]

    spoilt = {
        "no `uid`": lambda b: b.pop("uid"),
        "has an `id`": lambda b: b.update(id=7),
        "no variable `datasource`": lambda b: b["templating"]["list"].clear(),
        "there twice": lambda b: b["templating"]["list"].append(b["templating"]["list"][0]),
        "variable `event` is wired": lambda b: b["templating"]["list"].append(
            {"name": "event", "type": "query", "datasource": {"type": "prometheus", "uid": "P1"}}),
        "annotation `deploys` is wired": lambda b: b.update(
            annotations={"list": [{"name": "deploys", "datasource": {"type": "prometheus", "uid": "P1"}}]}),
        "no panel asks": lambda b: b.update(panels=[]),
        "the id 1 is there 2 times": lambda b: b["panels"][1].update(id=1),
        "two panels are titled": lambda b: b["panels"][1].update(title="Panel 1"),
        "has no id": lambda b: first(b).pop("id"),
        "has no title": lambda b: first(b).update(title=" "),
        "has no description": lambda b: first(b).pop("description"),
        "panel 1 `Panel 1` is wired": lambda b: first(b)["datasource"].update(uid="P1809F7CD0C75ACF3"),
        "target A is wired": lambda b: first(b)["targets"][0]["datasource"].update(uid="default"),
        "which is no data source": lambda b: first(b)["datasource"].update(uid="${other}"),
        "is of type `loki`": lambda b: first(b)["datasource"].update(type="loki"),
        "has no `datasource`": lambda b: first(b)["targets"][0].pop("datasource"),
        "is the text `Prometheus`": lambda b: first(b).update(datasource="Prometheus"),
        "has no targets": lambda b: first(b)["targets"].clear(),
        "a refId of its own": lambda b: first(b)["targets"].append(first(b)["targets"][0]),
        "has no query": lambda b: first(b)["targets"][0].update(expr=" "),
        "has no unit": lambda b: first(b)["fieldConfig"]["defaults"].clear(),
        "lies over": lambda b: b["panels"][1]["gridPos"].update(x=11),
        "does not fit": lambda b: b["panels"][1]["gridPos"].update(x=13),
        "no whole gridPos": lambda b: first(b).pop("gridPos"),
        "uses `$event`": lambda b: first(b)["targets"][0].update(expr='up{event=~"$event"}'),
    }
    wrong = 0
    for fault in lint(SOUND):
        print(f"FAILED  the sound board has a fault: {fault}")
        wrong += 1
    for wanted, spoil in spoilt.items():
        board = copy.deepcopy(SOUND)
        spoil(board)
        if not any(wanted in fault for fault in lint(board)):
            print(f"FAILED  nothing was said of `{wanted}`, only {lint(board)}")
            wrong += 1
    print(f"{len(spoilt) + 1 - wrong} rules hold, {wrong} do not")
    return wrong


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards", nargs="*", help="the boards to lint; all of Dashboards/grafana if left out")
    parser.add_argument("--self-test", action="store_true", help="try the linter itself on boards with one fault each")
    options = parser.parse_args()
    if options.self_test:
        sys.exit(1 if self_test() else 0)
    boards = options.boards or find_boards()
    if not boards:
        sys.exit(f"there is no board under {BOARDS}")
    failed, uids = 0, {}
    for path in boards:
        with open(path, encoding="utf-8") as file:
            board = json.load(file)
        faults = lint(board)
        if (uid := board.get("uid")) in uids:
            faults.append(f"the uid `{uid}` is that of {uids[uid]}, too")
        uids[board.get("uid")] = os.path.basename(path)
        for fault in faults:
            print(f"FAILED  {os.path.basename(path)}: {fault}")
        failed += len(faults)
        print(f"{os.path.basename(path)}: {sum(1 for _ in panels_of(board))} panels, {sum(1 for _ in targets_of(board))} queries, "
              f"{len(faults)} faults")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
