#!/usr/bin/env python3
"""The page of `looptrail inspect` in a real browser: its states are those of the recording, and it runs nothing of the data.

    swift build -c release --product looptrail && Tools/conformance/inspect_page.py

A random session is written here, its states with it: names, keys and values among them are hostile. The page must have the same state at each of
many steps, answer through `window.looptrail` and `#result`, write Redux DevTools' keys, and neither ask for anything nor print a message.
Needs Chromium (Debian: `apt-get install chromium`).
"""

import copy
import json
import os
import random
import tempfile
import time
import urllib.parse

from browser import Browser, Page
from harness import Checks, Looptrail, arguments
from html_report import HOSTILE

TEXTS = HOSTILE + ["__proto__", "constructor", "a/b~c", "", "0", "\\###(x)", '"""', "\u0000", "\ufeff", "${alert(1)}", "</script>"]
LIFTED = {
    "monitorState", "nextActionId", "actionsById", "stagedActionIds", "skippedActionIds", "committedState", "currentStateIndex", "computedStates",
    "isLocked", "isPaused",
}
# Longer than the page takes anywhere; it waits for no longer than it must.
PATIENCE = 60


def pointer(*keys):
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


def session(dice, steps):
    """Lines of version 2, and the state after each event; 0 is the first."""
    state = {"items": [], "named": {}, "total": 0, "page": None}
    head = {
        "recording": 2, "id": "c0ffee00-0000-4000-8000-000000000001", "system": "shop", "t_ms": 1767225600000, "after": 0, "app": {"name": TEXTS[0]},
        "types": {"state": "Shop.State", "event": "Shop.Event"}, "states": "json", "events": "json", "hidden": [], "state": copy.deepcopy(state),
    }
    lines, states = [head], [copy.deepcopy(state)]
    for number in range(1, steps + 1):
        text, patch, kind = dice.choice(TEXTS), [], dice.randrange(7)
        if kind == 0:
            index = dice.randint(0, len(state["items"]))
            value = {"id": number, "title": text, text: [text, None, True, 0.5]}
            patch = [{"op": "add", "path": pointer("items", index), "value": value}]
            state["items"].insert(index, value)
        elif kind == 1 and state["items"]:
            index = dice.randrange(len(state["items"]))
            patch = [{"op": "remove", "path": pointer("items", index)}]
            state["items"].pop(index)
        elif kind == 2 and state["items"]:
            index = dice.randrange(len(state["items"]))
            patch = [{"op": "replace", "path": pointer("items", index, "title"), "value": text}]
            state["items"][index] = {**state["items"][index], "title": text}
        elif kind == 3:
            patch = [{"op": "replace" if text in state["named"] else "add", "path": pointer("named", text), "value": number}]
            state["named"][text] = number
        elif kind == 4 and state["named"]:
            key = dice.choice(list(state["named"]))
            patch = [{"op": "remove", "path": pointer("named", key)}]
            del state["named"][key]
        elif kind == 5:
            patch = [{"op": "replace", "path": "/total", "value": number}, {"op": "replace", "path": "/page", "value": text}]
            state["total"], state["page"] = number, text
        by = {"by": dice.randrange(number)} if number % 3 == 0 else {}
        lines.append({"n": number, "t_ms": head["t_ms"] + number, **by, "via": text, "at": "Shop/Cart.swift:42", "name": text or "event", "event": {text: {"value": text}}})
        end = {"of": number, "ns": [40, 310, number], "patch": patch} if patch else {"of": number, "ns": [40, 310, number]}
        lines.append({**end, "outcome": "failed", "error": text} if number % 50 == 0 else end)
        states.append(copy.deepcopy(state))
    lines.append({"ended": "closed", "t_ms": head["t_ms"] + steps + 1})
    return lines, states


def opened(browser, path, fragment="", width=1280, **options):
    page = Page(browser, path, width, **options)
    if fragment:
        page.value(f"location.replace({json.dumps('#' + fragment)})")
    until = time.monotonic() + PATIENCE
    while page.value("document.documentElement.dataset.ready") != "1" and time.monotonic() < until:
        time.sleep(0.02)
    return page


def ask(page, expression):
    return json.loads(page.value(f"JSON.stringify({expression})"))


def check(checks, browser, path, states, dice):
    page = opened(browser, path)
    last = len(states) - 1
    status = ask(page, "looptrail.status()")
    checks.equal("status", [status[key] for key in ("ready", "steps", "first", "last", "step", "problems")], [True, last, 1, last, last, []])
    numbers = [0, 1, last] + dice.choices(range(last + 1), k=300)
    found = ask(page, f"{json.dumps(numbers)}.map(n => looptrail.state(n))")
    for number, state in zip(numbers, found):
        checks.that(f"the state after {number}", state == states[number], json.dumps(state)[:300])
    totals = [(n, state["total"]) for n, state in enumerate(states) if n == 0 or state["total"] != states[n - 1]["total"]]
    checks.equal("the values of a path", [(entry["n"], entry["value"]) for entry in ask(page, "looptrail.watch('total')")], totals)
    checks.equal("no difference from itself", ask(page, f"looptrail.diff({last}, {last})"), [])
    checks.that("a difference", ask(page, f"looptrail.diff(0, {last})"))
    for text in TEXTS:
        if text:
            checks.that(f"a search for {text!r}", ask(page, f"looptrail.search({json.dumps(text)})")["count"] > 0)
    checks.equal("a search for the format's own keys", ask(page, "looptrail.search('t_ms')")["count"], 0)
    lifted = json.loads(ask(page, f"looptrail.redux(1, {last})"))
    checks.equal("the keys of Redux DevTools' file", set(lifted), LIFTED)
    checks.equal("its states", [entry["state"] for entry in lifted["computedStates"]], states[1:])
    part = [json.loads(line) for line in ask(page, "looptrail.part(11, 20)").strip("\n").split("\n")]
    checks.equal("a part", [part[0]["after"], part[0]["state"], [line["n"] for line in part[1:]]], [10, states[10], list(range(11, 21))])
    checks.that("a Swift test", "upTo: 20)" in ask(page, "looptrail.test(20)"))
    for number in dice.sample(range(1, last + 1), 20):
        checks.equal("go", ask(page, f"looptrail.go({number})"), number)
        checks.that("nothing turns the order of a text", not ask(page, "document.body.innerText.includes('\\u202e')"))
    page.value("looptrail.go(1); document.querySelector('[role=listbox]').focus()")
    for key, step in (("End", last), ("Home", 1), ("E", 1), ("e", 50)):
        page.call("Input.dispatchKeyEvent", type="keyDown", key=key)
        checks.equal(f"the key {key}", ask(page, "looptrail.status().step"), step)
    checks.that("at most 2,000 nodes", ask(page, "document.querySelectorAll('*').length") <= 2_000)
    checks.equal("nothing of the data runs", ask(page, "document.querySelectorAll('script:not([id]), img, svg, iframe').length"), 1)
    silent(checks, page)
    for number in (1, 100, last):
        answer = opened(browser, path, f"step={number}&watch={urllib.parse.quote('/total')}&q=a&unknown=1&result=state")
        until = time.monotonic() + PATIENCE
        while not answer.value("document.getElementById('result') !== null") and time.monotonic() < until:
            time.sleep(0.02)
        result = json.loads(answer.value("document.getElementById('result').textContent"))
        checks.equal("#result", [result["ready"], result["step"]["n"], result["state"]], [True, number, states[number]])
        silent(checks, answer)
    for width in (390, 1280, 1920):
        wide = opened(browser, path, width=width, dark=width == 1280)
        checks.that(f"nothing overflows {width} px", ask(wide, "document.documentElement.scrollWidth") <= width)
        silent(checks, wide)


def two_systems(checks, browser, scratch, binary):
    """What is lost of two systems in one recording stands on the page of the system that it is lost of."""
    recording, path = os.path.join(scratch, "two.ndjson"), os.path.join(scratch, "one.html")
    losses, lines = {"cart": 2, "search": 3}, []
    for system, lost in losses.items():
        own = {} if system == "cart" else {"id": system}
        head = {"recording": 2, "id": system, "system": system, "t_ms": 1767225600000, "after": 0, "states": "json", "events": "json", "hidden": [], "state": 0}
        lines.append({**head, "beside": True} if own else head)
        for number in range(1, 7):
            lines.append({**own, "n": number, "t_ms": head["t_ms"] + number, "name": "event", "event": number})
            if number > lost:
                lines.append({**own, "of": number, "ns": [1, 1, 1], "patch": [{"op": "replace", "path": "", "value": number}]})
        lines.append({**own, "lost": lost, "from": 1, "reason": "overflow"})
    with open(recording, "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    for system, lost in losses.items():
        Looptrail(binary).run("inspect", recording, "--system", system, "-o", path)
        page = opened(browser, path)
        told = [f"{lost} steps are without details from 1: overflow"]
        checks.equal(f"what is lost of {system}", ask(page, "looptrail.status().problems"), told)
        checks.equal("as it is shown", ask(page, "[...document.querySelectorAll('.problems li')].map(item => item.textContent)"), told)
        checks.that("the system is named", system in ask(page, "document.querySelector('.facts').textContent"))
        states = [None] * lost + list(range(lost + 1, 7))
        checks.equal("the states that are known", ask(page, "[1, 2, 3, 4, 5, 6].map(n => looptrail.state(n))"), states)
        silent(checks, page)


def silent(checks, page):
    checks.equal("no console message", page.messages(), [])
    checks.equal("no request", page.requests(), [])
    page.close()


def main():
    parser = arguments(__doc__, seed=1)
    options = parser.parse_args()
    checks, dice = Checks(options.allow_missing), random.Random(options.seed)
    program = Browser.find()
    if not program:
        checks.missing("Chromium", "install chromium")
        checks.close()
    with tempfile.TemporaryDirectory() as scratch, Browser(program) as browser:
        lines, states = session(dice, 1_000)
        recording, path = os.path.join(scratch, "recording.ndjson"), os.path.join(scratch, "inspect.html")
        with open(recording, "w") as file:
            file.writelines(json.dumps(line) + "\n" for line in lines)
        Looptrail(options.binary).run("inspect", recording, "-o", path)
        check(checks, browser, path, states, dice)
        two_systems(checks, browser, scratch, options.binary)
    checks.close()


if __name__ == "__main__":
    main()
