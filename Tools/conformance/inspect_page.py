#!/usr/bin/env python3
"""Opens the page of `looptrail inspect` in a real browser: its states are those of the recording, and it runs nothing of the data.

    swift build -c release --product looptrail && Tools/conformance/inspect_page.py

Writes a random session with hostile names, keys and values, and computes its states. At many steps the page must have the same state.
It must also answer through `window.looptrail` and `#result`, write the keys of Redux DevTools, make no request and print no message.
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
CODES = {"Enter": 13, "Escape": 27, "End": 35, "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
# How many seconds to wait for the page at most. A wait ends as soon as the page is ready.
PATIENCE = 60


def pointer(*keys):
    return "".join("/" + str(key).replace("~", "~0").replace("/", "~1") for key in keys)


def session(dice, steps):
    """The lines of a recording of version 2, and its states: first the initial one, then that after each event."""
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


def written(scratch, binary, lines, *flags):
    """The path of the page that the command makes of the lines."""
    recording, path = os.path.join(scratch, "recording.ndjson"), os.path.join(scratch, "inspect.html")
    with open(recording, "w") as file:
        file.writelines(json.dumps(line) + "\n" for line in lines)
    Looptrail(binary).run("inspect", recording, *flags, "-o", path)
    return path


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
    checks.that("a difference of two states", ask(page, f"looptrail.diff(0, {last})"))
    for text in TEXTS:
        if text:
            checks.that(f"a search for {text!r}", ask(page, f"looptrail.search({json.dumps(text)})")["count"] > 0)
    checks.equal("a search for the format's own keys", ask(page, "looptrail.search('t_ms')")["count"], 0)
    lifted = json.loads(ask(page, f"looptrail.redux(1, {last})"))
    checks.equal("the keys of Redux DevTools' file", set(lifted), LIFTED)
    checks.equal("the states of Redux DevTools' file", [entry["state"] for entry in lifted["computedStates"]], states[1:])
    part = [json.loads(line) for line in ask(page, "looptrail.part(11, 20)").strip("\n").split("\n")]
    checks.equal("a part", [part[0]["after"], part[0]["state"], [line["n"] for line in part[1:]]], [10, states[10], list(range(11, 21))])
    checks.that("a Swift test", "upTo: 20)" in ask(page, "looptrail.test(20)"))
    for number in dice.sample(range(1, last + 1), 20):
        checks.equal("go", ask(page, f"looptrail.go({number})"), number)
        checks.that("no text has a right-to-left override", not ask(page, "document.body.innerText.includes('\\u202e')"))
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


def counting_lines(steps, **head):
    """The lines of a recording whose state has the number of its last event."""
    times, states = {"t_ms": 1767225600000}, {"states": "json", "events": "json", "state": {"x": 0}}
    lines = [{"recording": 2, "id": "c", "system": "count", **times, "after": 0, "hidden": [], **states, **head}]
    for number in range(1, steps + 1):
        lines.append({"n": number, **times, "name": "event", "event": number})
        change = {"patch": [{"op": "replace", "path": "/x", "value": number}]}
        if head.get("states") == "text":
            change = {"changes": [{"path": "x", "old": str(number - 1), "new": str(number)}]}
        lines.append({"of": number, "ns": [1, 1, 1], **change})
    return lines


def not_known(checks, browser, scratch, binary):
    """A state that is not known is nowhere given out as one: not as null, and not as the state of another step."""
    # From 3 on no state is known, until a head says that of 6. Step 9 is missing.
    head, *rest = counting_lines(10)
    lines = [head] + [line for line in rest if line.get("of") != 3 and 9 not in (line.get("n"), line.get("of"))]
    lines += [{**head, "after": 6, "state": {"x": 6}}, {"tracked": "paid", "by": 8}, {"tracked": "begun", "by": 4}]
    words = "(() => { try { return looptrail.redux(4, 8) } catch (error) { return error.message } })()"
    page = opened(browser, written(scratch, binary, lines, "--from", "5"))
    checks.equal("the states from a step before which none is known", ask(page, "[4, 5, 6, 7].map(looptrail.state)"), [None, None, {"x": 6}, {"x": 7}])
    checks.equal("the values of a path that begins unknown", ask(page, "looptrail.watch('x')"), [{"n": n, "value": n} for n in (6, 7, 8)])
    checks.equal("Redux DevTools' file from an unknown state", page.value(words), "the state where it would begin is not known")
    answer = ask(page, "looptrail.step(9)")
    checks.equal("a missing step is the one before", [answer["step"]["n"], [note["tracked"] for note in answer["tracked"]]], [8, ["paid"]])
    answer = ask(page, "looptrail.step(4)")
    checks.equal("the notes of a part's beginning", [answer["step"], [note["tracked"] for note in answer["tracked"]]], [None, ["begun"]])
    silent(checks, page)
    page = opened(browser, written(scratch, binary, lines))
    heads = ask(page, "[1, 3, 4, 5, 7].map(n => JSON.parse(looptrail.part(n, n).split('\\n')[0]))")
    checks.equal("the states that parts begin with", [head.get("state") for head in heads], [{"x": 0}, {"x": 2}, None, None, {"x": 6}])
    checks.equal("the heads without a state", [head["after"] for head in heads if "state" not in head], [3, 4])
    part = [json.loads(line) for line in ask(page, "looptrail.part(3, 7)").strip("\n").split("\n")]
    heads = [(line["after"], line["state"]) for line in part if "recording" in line]
    checks.equal("the heads of a part with a hole", heads, [(2, {"x": 2}), (6, {"x": 6})])
    silent(checks, page)
    page = opened(browser, written(scratch, binary, counting_lines(2, states="text", state="x: 0")))
    heads = ask(page, "[1, 2].map(n => JSON.parse(looptrail.part(n, n).split('\\n')[0]))")
    checks.equal("the texts of states that parts begin with", [head.get("state") for head in heads], ["x: 0", None])
    silent(checks, page)
    head, *rest = counting_lines(3)
    rest[-1] = {"of": 3, "ns": [1, 1, 1], "changes": [{"path": "x", "old": "2", "new": "3"}]}
    page = opened(browser, written(scratch, binary, [head, *rest[:4], {**head, "after": 2, "states": "text", "state": "x: 2"}, *rest[4:]]))
    checks.equal("the states before and behind the step from which on changes are texts", ask(page, "[1, 2, 3].map(looptrail.state)"), [{"x": 1}, {"x": 2}, None])
    checks.equal("a change as text", page.value("document.querySelector('.changes').textContent"), "x2 → 3")
    silent(checks, page)
    # Each second step is missing.
    page = opened(browser, written(scratch, binary, [line for line in counting_lines(400) if line.get("n", line.get("of", 1)) % 2]))
    checks.equal("problems in words", ask(page, "looptrail.status().problems.length"), 199)
    shown = ask(page, "[...document.querySelectorAll('.problems li')].map(item => item.textContent)")
    checks.equal("the shown problems", [len(shown), shown[-1]], [51, "and 149 more problems"])
    silent(checks, page)
    page = opened(browser, written(scratch, binary, counting_lines(0)))
    checks.equal("a step of none", ask(page, "looptrail.step(1)"), {"step": None, "changes": [], "tracked": [], "effects": []})
    silent(checks, page)
    page = opened(browser, written(scratch, binary, counting_lines(2) + [{"tracked": "begun"}]))
    notes = ask(page, "[0, 1].map(n => looptrail.step(n).tracked.map(note => note.tracked))")
    checks.equal("the notes of the initial state", notes, [["begun"], []])
    silent(checks, page)


def long_recording(checks, browser, scratch, binary):
    """A watched value is drawn, however often it changed."""
    page = opened(browser, written(scratch, binary, counting_lines(150_000)), "watch=/x")
    # A canvas is 300 wide until something is drawn on it. Reading it more often than once would print a warning.
    checks.that("a drawing of the watched value", becomes(page, "(document.querySelector('.spark')?.width ?? 300) !== 300"))
    drawn = "document.querySelector('.spark').getContext('2d').getImageData(0, 0, 9999, 100).data.some(byte => byte > 0)"
    checks.that("the line of the watched value", page.value(drawn))
    silent(checks, page)


def two_systems(checks, browser, scratch, binary):
    """If one recording has two systems, each page names only the lost steps of its own system."""
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
    for system, lost in losses.items():
        page = opened(browser, written(scratch, binary, lines, "--system", system))
        told = [f"{lost} steps are without details from 1: overflow"]
        checks.equal(f"what is lost of {system}", ask(page, "looptrail.status().problems"), told)
        checks.equal("the shown losses", ask(page, "[...document.querySelectorAll('.problems li')].map(item => item.textContent)"), told)
        checks.that("the system is named", system in ask(page, "document.querySelector('.facts').textContent"))
        states = [None] * lost + list(range(lost + 1, 7))
        checks.equal("the states that are known", ask(page, "[1, 2, 3, 4, 5, 6].map(n => looptrail.state(n))"), states)
        silent(checks, page)


def what_failed(checks, browser, scratch, binary):
    """Failures of events and of effects are counted and visited, each once. Of the last event nobody knows whether it ended."""
    lines = counting_lines(7)[:-1]
    # Event 3 failed with its own work, effects of events 4 and 6 and of the initial state failed, and another one did not.
    lines[6].update({"outcome": "failed", "error": "own"})
    for effect, by, via, outcome in ((1, 3, None, "failed"), (2, 6, "save", "failed"), (3, 0, "load", "failed"), (4, 4, "sync", "failed"), (5, 5, "sync", "finished")):
        lines.append({"effect": effect, "by": by, "t_ms": 1, **({"via": via} if via else {})})
        lines.append({"effect": effect, "t_ms": 2, "ns": 7, "outcome": outcome, **({"error": f"error {effect}"} if outcome == "failed" else {})})
    page = opened(browser, written(scratch, binary, lines))
    facts = page.value("document.querySelector('.facts').innerText")
    for fact in ("did not end by itself", "last event taken: 7, whether it ended is not known", "4 failures"):
        checks.that(f"the fact {fact!r}", fact in facts.split("\n"), facts)
    shown = "document.querySelector('.step').textContent"
    checks.that("the end of the last event is not known", "Outcomeend not known" in page.value(shown), page.value(shown))
    checks.equal("the outcome that programs get", ask(page, "looptrail.step(7).step.outcome"), "unfinished")
    page.value("document.querySelector('[role=listbox]').focus()")
    for step, text in ((6, "save: failed, 7 ns, error 2"), (4, "sync: failed, 7 ns, error 4"), (3, "own"), (1, "after 0, load: failed, 7 ns, error 3")):
        press(page, "E")
        checks.that(f"the failure at {step}", ask(page, "looptrail.status().step") == step and text in page.value(shown), page.value(shown))
    press(page, "e")
    checks.equal("the next failure", ask(page, "looptrail.status().step"), 3)
    silent(checks, page)


def too_slow(checks, browser, scratch, binary):
    """Where states are recorded as texts, the page says why, and a step that changed nothing says so."""
    head, *rest = counting_lines(6)
    reason = "step 3 took the recorder more than 50 ms"
    text = {**head, "after": 3, "states": "text", "state": "x: 3", "reason": reason}
    # The line of event 3 was too large.
    rest[5:6] = [text]
    for number, changes in ((4, [{"path": "x", "old": "3", "new": "4"}]), (5, [])):
        rest[2 * number - 1] = {"of": number, "ns": [1, 1, 1], "changes": changes}
    rest.append({**head, "after": 6, "state": {"x": 6}})
    page = opened(browser, written(scratch, binary, [head, *rest]))
    told = f"states are recorded as text after 3: {reason}"
    checks.equal("the reason among the problems", ask(page, "looptrail.status().problems"), [told])
    checks.equal("the states", ask(page, "[2, 3, 4, 5, 6].map(looptrail.state)"), [{"x": 2}, None, None, None, {"x": 6}])
    for number, changes in ((3, f"Not known: {told}."), (4, "x3 → 4"), (5, "No change.")):
        page.value(f"looptrail.go({number})")
        shown = page.value("document.querySelector('.step section').textContent")
        checks.equal(f"the changes of {number}", shown, "Changes" + changes)
        checks.that(f"why the state after {number} is not known", f"The state is not known here: {told}." in page.value("document.body.innerText"))
    silent(checks, page)
    # The line of event 2 has its patch, although it was slow. Event 3 changes nothing; the state after event 5 could not be encoded.
    rest = counting_lines(5)[1:]
    for number in (3, 5):
        rest[2 * number - 1] = {"of": number, "ns": [1, 1, 1], "changes": []}
    slow = {**text, "after": 2, "state": "x: 2"}
    known = {**head, "after": 4, "state": {"x": 4}}
    page = opened(browser, written(scratch, binary, [head, *rest[:4], slow, *rest[4:8], known, *rest[8:], {**text, "after": 5}]))
    for number, changes in ((2, "x1 → 2"), (3, "No change."), (5, f"Not known: {told.replace('after 3', 'after 2')}.")):
        page.value(f"looptrail.go({number})")
        checks.equal(f"the changes of {number} beside texts", page.value("document.querySelector('.step section').textContent"), "Changes" + changes)
    silent(checks, page)
    # The recording begins with a text, and has states from 2 on.
    first, *rest = counting_lines(4)
    first.update({"states": "text", "state": "x: 0", "reason": reason})
    for number in (1, 2):
        rest[2 * number - 1] = {"of": number, "ns": [1, 1, 1], "changes": [{"path": "x", "old": str(number - 1), "new": str(number)}]}
    lines = [first, *rest[:4], {**head, "after": 2, "state": {"x": 2}}, *rest[4:]]
    page = opened(browser, written(scratch, binary, lines))
    checks.equal("the states behind a text", ask(page, "[1, 2, 3, 4].map(looptrail.state)"), [None, {"x": 2}, {"x": 3}, {"x": 4}])
    checks.equal("the values of a path behind a text", ask(page, "looptrail.watch('x')"), [{"n": n, "value": n} for n in (2, 3, 4)])
    part = page.value("looptrail.part(1, 4)")
    heads = [json.loads(line) for line in part.strip("\n").split("\n") if '"recording"' in line]
    found = [(line["after"], line["states"], "reason" in line, line["state"]) for line in heads]
    checks.equal("the heads of a part that begins with a text", found, [(0, "text", True, "x: 0"), (2, "json", False, {"x": 2})])
    checks.that("a Swift test has the states, too", '"states":"json"' in page.value("looptrail.test(4)"))
    silent(checks, page)
    page = opened(browser, written(scratch, binary, [json.loads(line) for line in part.strip("\n").split("\n")]))
    checks.equal("the states of the part", ask(page, "[1, 2, 3, 4].map(looptrail.state)"), [None, {"x": 2}, {"x": 3}, {"x": 4}])
    silent(checks, page)
    page = opened(browser, written(scratch, binary, lines, "--from", "4"))
    checks.equal("the first state of a page from a step", ask(page, "looptrail.state(3)"), {"x": 3})
    head = json.loads(page.value("looptrail.part(4, 4)").split("\n")[0])
    checks.equal("the head of a part of it", [head["states"], "reason" in head, head["state"]], ["json", False, {"x": 3}])
    silent(checks, page)


def press(page, *keys):
    for key in keys:
        text = {"Enter": {"text": "\r"}, " ": {"text": " "}}.get(key, {"text": key} if len(key) == 1 else {})
        code = CODES.get(key, 0)
        page.call("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=code, **text)
        page.call("Input.dispatchKeyEvent", type="keyUp", key=key, windowsVirtualKeyCode=code)


def becomes(page, expression):
    end = time.monotonic() + PATIENCE
    while not page.value(expression) and time.monotonic() < end:
        time.sleep(0.02)
    return page.value(expression)


def by_hand(checks, browser, scratch, binary):
    """The keyboard reaches everything, a fold hides no match, large whole numbers are exact, and a time beyond the calendar is shown."""
    start, steps = {"x": 0, "big": 2**53 + 1, "most": 2**64 - 1, "zero": -0.0, "in": {"list": [1, 2]}}, 1_100
    states = [start] + [{**start, "x": n, "big": 2**53 + 1 + n // 2 * 2} for n in range(1, steps + 1)]
    head = {"recording": 2, "id": "h", "system": "hand", "t_ms": 10**18, "after": 0, "states": "json", "events": "json", "hidden": []}
    lines = [{**head, "state": start}]
    for number in range(1, steps + 1):
        line = {"n": number, "t_ms": 10**18 if number == 2 else 1767225600000 + number, "by": 3 if number == 4 else 0}
        lines.append({**line, "name": f"first {number}" if number <= 5 else "tick", "event": {f"word{number}.": 2**64 - number}})
        patch = [{"op": "replace", "path": pointer(key), "value": states[number][key]} for key in ("x", "big")]
        lines.append({"of": number, "ns": [1, 1, 1], "patch": patch})
    page = opened(browser, written(scratch, binary, lines))
    focus = lambda selector: page.value(f"document.querySelector({json.dumps(selector)}).focus()")
    focused = lambda: page.value("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")
    step = lambda: ask(page, "looptrail.status().step")
    count = lambda selector: page.value(f"document.querySelectorAll({json.dumps(selector)}).length")

    checks.equal("whole numbers of states", ask(page, "[0, 2, 1099].map(n => looptrail.state(n))"), [states[n] for n in (0, 2, 1_099)])
    watched = [(entry["n"], entry["value"]) for entry in ask(page, "looptrail.watch('big')")]
    checks.equal("whole numbers of a watched value", watched, [(n, states[n]["big"]) for n in range(0, steps + 1, 2)])
    checks.equal("numbers of a difference", ask(page, "looptrail.diff(2, 4)")[1:], [{"path": "/big", "old": 2**53 + 3, "new": 2**53 + 5}])
    checks.equal("whole numbers of a search", ask(page, f"looptrail.search('{2**53 + 3}').steps"), [2, 3])
    head = page.value("looptrail.part(3, 4)").split("\n")[0]
    checks.that("whole numbers of a part, and its minus zero", json.loads(head)["state"] == states[2] and '"zero":-0.0' in head, head)
    checks.that("whole numbers of a test", json.dumps(start, separators=(",", ":")) in page.value("looptrail.test(1)"))
    lifted = json.loads(page.value("looptrail.redux(1, 3)"))
    checks.equal("whole numbers of Redux DevTools' file", [entry["state"] for entry in lifted["computedStates"]], states[1:4])
    page.value("looptrail.go(2)")
    shown = page.value("document.querySelector('.tree').textContent")
    checks.that("whole numbers of the tree", all(str(states[2][key]) in shown for key in ("big", "most")), shown)
    checks.that("minus zero in the tree", "zero-0" in shown, shown)
    checks.that("a time beyond the calendar", f"{10**18} ms" in page.value("document.querySelector('.step').textContent"))

    focus("[role=tree]")
    chosen = "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"
    press(page, "Home", "ArrowDown", "ArrowDown")
    checks.equal("a row of the tree", page.value(f"{chosen}.title"), "big")
    press(page, "Enter")
    checks.equal("Enter watches the row", page.value("document.querySelector('.watched h3').textContent"), "big")
    press(page, "End")
    checks.equal("the last row", page.value(f"{chosen}.title"), "in.list")
    press(page, "ArrowRight", "ArrowRight")
    checks.equal("the arrow right unfolds the row", page.value(f"{chosen}.title"), "in.list[0]")
    press(page, "ArrowLeft", "ArrowLeft")
    checks.equal("the arrow left folds the row", page.value(f"{chosen}.title + {chosen}.ariaExpanded"), "in.listfalse")
    checks.equal("the tree's keys keep the step", step(), 2)
    press(page, "n")
    checks.equal("the next change of the watched value", step(), 4)
    press(page, "Home", "ArrowDown", "ArrowDown", " ")
    checks.equal("a space ends the watching of a row", count(".branch.watched"), 0)
    focus(".strip")
    press(page, "ArrowUp")
    checks.equal("the arrow up goes one step on", step(), 5)
    press(page, "ArrowDown")
    focus(".step .link")
    press(page, "Enter")
    checks.equal("the focus after a link", [step(), focused()], [3, "Step"])
    focus(".actions button")
    press(page, "Enter")
    checks.equal("the focus after the pin", [focused(), count(".row.pinned")], ["Pin (p)", 1])

    press(page, "/")
    page.call("Input.insertText", text="word30.")
    told = page.value("document.querySelector('.found').textContent")
    checks.equal("a match inside a fold", [told, count(".row.match .times")], ["1 match", 1])
    press(page, "Escape", "n", "p")
    checks.equal("the word of the search stays", [page.value("document.querySelector('[name=q]').value"), step()], ["word30.", 30])
    page.value("looptrail.go(1)")
    checks.equal("the pin inside a fold", count(".row.pinned .times"), 1)
    page.value("location.replace('#step=1050&q=word')")
    checks.that("the next address", becomes(page, "looptrail.status().step === 1050"))
    checks.equal("the next address has no pin", count(".row.pinned"), 0)
    found = ask(page, "looptrail.search('word')")
    checks.equal("a search with many matches", [found["count"], len(found["steps"])], [steps, 1_000])
    press(page, "n")
    checks.equal("the next match beyond the first 1,000", step(), 1_051)
    press(page, "t")
    checks.equal("the dialog's name", page.value("document.querySelector('dialog').ariaLabel"), "Event 1051 as a Swift test")
    press(page, "Escape")
    silent(checks, page)


def one_number(checks, browser, scratch, binary):
    """A state that is one value can be watched as a whole."""
    lines = [{"recording": 2, "id": "n", "t_ms": 0, "after": 0, "states": "json", "events": "json", "hidden": [], "state": 5}]
    for number in (1, 2):
        patch = [{"op": "replace", "path": "", "value": 5 + number}]
        lines += [{"n": number, "t_ms": number, "name": "set", "event": number}, {"of": number, "ns": [1, 1, 1], "patch": patch}]
    page = opened(browser, written(scratch, binary, lines))
    told = lambda: page.value("document.querySelector('[role=region].watched').textContent")
    page.value("document.querySelector('.changes button').click()")
    checks.that("the whole state is watched", told().startswith("(all)2 changes"), told())
    page.value("document.querySelector('.branch').click()")
    checks.that("and is no longer", told().startswith("Choose a value"), told())
    silent(checks, page)


def cut_short(checks, browser, scratch, binary):
    """A search reaches all of a step, and what is not shown is counted."""
    lines, _ = session(random.Random(1), 62)
    lines[0]["state"] = {"items": list(range(30_000))}
    events = [{key: value for key, value in line.items() if key != "by"} for line in lines[1:-1] if "n" in line]
    events = [{**event, **({"by": 1} if event["n"] > 1 else {"event": {"words": [f"word{n}." for n in range(6_000)]}})} for event in events]
    ends = [{"of": event["n"], "ns": [1, 2, 3]} for event in events]
    page = opened(browser, written(scratch, binary, [lines[0], *events, *ends, lines[-1]]), "step=1")
    checks.equal("a word far inside a step is found", ask(page, "looptrail.search('word5999.')")["steps"], [1])
    told = page.value("document.querySelector('.step').innerText")
    for words in ("and 11 more\n", " more characters\n"):
        checks.that(f"cut short: {words!r}", words in told, told[-300:])
    page.value("document.querySelector('.tree').scrollTop = 1e9")
    checks.that("the tree says where it ends", becomes(page, "document.querySelector('.tree').innerText.includes('Only the first 20,000 rows')"))
    press(page, "f")
    page.call("Input.insertText", text="items[29999]")
    checks.that("a filter leads behind that", becomes(page, "document.querySelector('.tree').innerText.trim().endsWith('29999')"))
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
        check(checks, browser, written(scratch, options.binary, lines), states, dice)
        not_known(checks, browser, scratch, options.binary)
        long_recording(checks, browser, scratch, options.binary)
        two_systems(checks, browser, scratch, options.binary)
        what_failed(checks, browser, scratch, options.binary)
        too_slow(checks, browser, scratch, options.binary)
        by_hand(checks, browser, scratch, options.binary)
        one_number(checks, browser, scratch, options.binary)
        cut_short(checks, browser, scratch, options.binary)
    checks.close()


if __name__ == "__main__":
    main()
