#!/usr/bin/env python3
"""Opens the page of `looptrail explore` in a browser: it counts as the command does, refuses what it cannot, and runs nothing of the data.

    swift build -c release --product looptrail && Tools/conformance/explore.py --cases 200

Asks the page's engine and the command random questions (`explore_cases.py`); the answers must agree to 1e-9. `--mutants` puts faults into
the engine, and the questions must find each. `--coverage` prints how much of the engine they reach. `--pictures` makes pictures for people.
Needs Chromium (Debian: `apt-get install chromium`).
"""

import base64
import concurrent.futures
import gzip
import json
import os
import random
import re
import shlex
import subprocess
import tempfile
import time
import urllib.parse

import explore_cases
from browser import Browser, Page
from explore_mutants import MUTANTS
from harness import ROOT, Checks, Looptrail, arguments
from html_report import CONTRAST, HOSTILE

PAGES = os.path.join(ROOT, "Sources/CPages")
HOSTILE_TEXTS = HOSTILE + [
    "<script>parent.hit=1</script>", "'-alert(1)-'", "${alert(1)}", "{{7*7}}", "`x`", "a > b", "(a | b)", "a[b=1]", '"quoted"', "\\", "\u0000", "\u007f",
    "\ufeff", "e\u0301", "é", "\U0001f468\u200d\U0001f469\u200d\U0001f467", "\u2066x\u2069", "constructor", "__proto__", "toString", "&steps=x", "#x",
    "%41", "a+b", " lead", "-rf", "$(id)",
]
QUESTIONS_PER_SET = 18


def engine_source():
    """The source of the engine: its parts, in the order in which a page has them."""
    with open(os.path.join(PAGES, "pages.c")) as file:
        parts = re.findall(r'#embed "(explore/\w+\.js)" suffix|#embed "(explore/ask\.js)"', file.read())
    text = []
    for part in parts:
        with open(os.path.join(PAGES, "".join(part))) as file:
            text.append(file.read())
    return "".join(text)


def fragment_of(view, asked):
    pairs = [("view", view)] + [(key, "true" if value is True else value) for key, value in asked]
    return "&".join(f"{urllib.parse.quote_plus(key)}={urllib.parse.quote_plus(value)}" for key, value in pairs)


def columns_of(page):
    with open(page) as file:
        return dict(re.findall(r'<script type="application/octet-stream" id="c-([^"]+)">([^<]*)<', file.read()))


def unpacked(page):
    return {name: gzip.decompress(base64.b64decode(text)) for name, text in columns_of(page).items()}


class Engine:
    """The engine alone in a tab of its own, unchanged or with a fault in it."""

    def __init__(self, browser, scratch):
        empty = os.path.join(scratch, "empty.html")
        with open(empty, "w") as file:
            file.write("<!doctype html>")
        self.tab = Page(browser, empty, 800)

    def load(self, source, name="engine.js"):
        body = source.replace('"use strict";', "", 1)
        self.tab.value(f'"use strict"; globalThis.E = (() => {{{body}\nreturn Explore; }})(); 0\n//# sourceURL={name}')

    def open(self, page):
        columns = {name: base64.b64encode(bytes_).decode() for name, bytes_ in unpacked(page).items()}
        self.tab.value(
            f"globalThis.C = {json.dumps(columns)}; globalThis.raw = (name) => Uint8Array.from(atob(C[name]), (c) => c.charCodeAt(0));"
            "globalThis.D = new E.Data(JSON.parse(new TextDecoder().decode(raw('head'))), raw); 0")

    def ask(self, fragments):
        """The engine's answers. If the engine throws, the answer has the key `crashed`."""
        return json.loads(self.tab.value(
            f"JSON.stringify({json.dumps(fragments)}.map((f) => {{ try {{ return E.ask(D, f).result; }} catch (e) {{ return {{crashed: String(e)}}; }} }}))"))


def difference(got, wanted, path=""):
    """The first place where two answers differ; `None` if they are equal."""
    if isinstance(got, (int, float)) and isinstance(wanted, (int, float)) and not isinstance(got, bool) and not isinstance(wanted, bool):
        return None if abs(got - wanted) <= 1e-9 * max(1, abs(wanted)) else f"{path}: {got} and not {wanted}"
    if isinstance(got, dict) and isinstance(wanted, dict):
        for key in got.keys() | wanted.keys():
            found = difference(got.get(key, "nothing"), wanted.get(key, "nothing"), f"{path}.{key}")
            if found:
                return found
        return None
    if isinstance(got, list) and isinstance(wanted, list) and len(got) == len(wanted):
        return next((found for i, (a, b) in enumerate(zip(got, wanted)) if (found := difference(a, b, f"{path}[{i}]"))), None)
    return None if got == wanted else f"{path}: {got!r} and not {wanted!r}"


def compared(view, got, wanted):
    """The command's answer in the form of the page's answer."""
    wanted = {key: value for key, value in wanted.items() if key != "input"}
    if view == "users":
        users = {key: wanted[key] for key in ("step", "dropped", "count")}
        return {**{key: wanted[key] for key in ("schema", "definition")}, "users": {**users, "keys": got.get("users", {}).get("keys")}}
    return wanted


def cases(looptrail, dice, count, scratch):
    """Writes random sets of events and their pages. Returns questions about each set with the command's answers."""
    jobs = []
    for number in range(-(-count // QUESTIONS_PER_SET)):
        lines, known = explore_cases.data(dice)
        path, page = os.path.join(scratch, f"{number}.ndjson"), os.path.join(scratch, f"{number}.html")
        with open(path, "w") as file:
            file.writelines(lines)
        own, marks = explore_cases.settings(dice)
        done = looptrail.run("explore", path, "--min-users", "1", "--quiet", "-o", page, *own, *marks)
        assert done.returncode == 0, done.stderr
        looptrail.run("explore", path, "--min-users", "3", "--quiet", "-o", page + ".folded.html", *own, *marks)
        for _ in range(min(QUESTIONS_PER_SET, count - number * QUESTIONS_PER_SET)):
            view, asked = explore_cases.question(dice, known)
            daily = view == "trend" and dict(asked).get("every", "day") == "day"
            jobs.append((page, path, view, asked, own + (marks if daily else [])))

    def answer(job):
        page, path, view, asked, own = job
        flags = [f"--{key}" if value is True else f"--{key}={value}" for key, value in asked]
        done = looptrail.run(view, path, *flags, *own, "--format", "json", "--quiet")
        return page, path, view, fragment_of(view, asked), json.loads(done.stdout) if done.returncode == 0 else None, f"{view} {' '.join(flags)}"

    with concurrent.futures.ThreadPoolExecutor() as threads:
        return list(threads.map(answer, jobs))


def refusals(checks, engine, looptrail, page, path):
    """The page must call badly written questions `wrong`, which the command refuses, too. It must refuse questions that it cannot count."""
    engine.open(page)
    for asked in explore_cases.WRONG:
        flags = [f"--{key}" if value is True else f"--{key}={value}" for key, value in asked]
        done = looptrail.run("funnel", path, *flags, "--format", "json", "--quiet")
        got = engine.ask([fragment_of("funnel", asked)])[0]
        checks.that(f"wrong: {' '.join(flags)}", done.returncode == 2 and "wrong" in got, f"exit {done.returncode}, {str(got)[:120]}")
    others = {
        "view=why&steps=a": "refused", "view=nothing": "wrong", "hold=p&steps=a": "refused", "colour=red": "refused", "steps=a&by=system": "refused",
        "steps=a&count=attempts": "refused", "view=users&steps=a&count=visits": "ready", "steps=a&steps=b": "wrong", "steps=%ff": "wrong", "steps": "ready",
        "": "wrong", "steps=a&since=now-7d": "refused", "view=users&steps=a&step=1&dropped": "wrong", "view=user&steps=a&user=999999": "wrong",
        "view=user&by=session&user=1": "ready", "view=user&user=1": "ready", "view=paths": "wrong", "view=paths&from=a&min-share=x": "wrong",
        "view=retention&start=a&return=b&breakdown=p:all": "wrong", "steps=" + "+%3E+".join(["a"] * 31): "refused", "view=paths&from=a": "ready",
        "steps=a[a.b.c.d.e.f.g.h.i%3D1]": "refused", "steps=a&mature=maybe": "wrong", "steps=a&window=9999999w": "refused", "steps=a&order=strict&exclude=" + "&exclude=".join(["b"] * 31): "refused",
    }
    for fragment, wanted in others.items():
        got = engine.ask([fragment])[0]
        checks.equal(f"#{fragment[:60]}", "refused" if "refused" in got else "wrong" if "wrong" in got else "ready", wanted)


def by_page(asked):
    pages = {}
    for case in asked:
        pages.setdefault(case[0], []).append(case)
    return pages.items()


def first_difference(engine, asked, checks=None):
    """The first difference between the engine's answers and the command's. With `checks`, makes a check of each answer instead."""
    for page, own in by_page(asked):
        engine.open(page)
        for (_, _, view, _, wanted, title), got in zip(own, engine.ask([case[3] for case in own])):
            if wanted is None:
                found = None if "wrong" in got or "refused" in got else "the command refuses it, and the page does not"
            elif "refused" in got and "millisecond" in got["refused"]["why"]:
                # Which of two values counts depends on the order of the lines, which the page does not have.
                found = None
            else:
                found = difference(got, compared(view, got, wanted))
            if checks:
                checks.that(f"{os.path.basename(page)}: {title}", not found, found or "")
            elif found:
                return found
    return None


def folded(checks, engine, asked):
    """If values of few users are folded, each answer must be equal or refused. Of groups, those must be equal that both have."""
    equal = refused = 0
    for page, own in by_page(asked):
        engine.open(page + ".folded.html")
        with open(own[0][1]) as file:
            # A text that looks like a group may be folded, too.
            text = file.read()
        odd = {name for name in ("(none)", "(other)") if f'"{name}"' in text}
        for (_, _, view, fragment, wanted, title), got in zip(own, engine.ask([case[3] for case in own])):
            if wanted is not None and "breakdown=" in fragment and view == "funnel" and "groups" in got:
                groups = [{one["value"]: one["overall"]["entered"] for one in answer["groups"]} for answer in (got, wanted)]
                both = (groups[0].keys() & groups[1].keys() | {"(none)"}) - {"(other)"} - odd
                checks.equal(f"folded: {os.path.basename(page)}: {title}", *[{name: one.get(name, 0) for name in both} for one in groups])
            if wanted is None or "breakdown=" in fragment:
                continue
            if "refused" in got:
                refused += 1
                continue
            equal += 1
            found = difference(got, compared(view, got, wanted))
            checks.that(f"folded: {os.path.basename(page)}: {title}", not found, found or "")
    checks.that("some questions are refused and most are not", refused > 0 and equal > refused, f"{equal} equal, {refused} refused")
    print(f"with values folded: {equal} equal, {refused} refused")


def copied(checks, engine, asked):
    """In a shell, the line that the page offers to copy must have the words of the question."""
    for page, own in by_page(asked):
        engine.open(page)
        fragments = json.dumps([case[3] for case in own])
        lines = json.loads(engine.tab.value(f"JSON.stringify({fragments}.map((f) => E.command(D, E.ask(D, f).asked)))"))
        script = "".join(f"printf '%s\\0' {line}; printf '\\n\\0'\n" for line in lines)
        done = subprocess.run(["bash", "-c", script], capture_output=True)
        for line, words, case in zip(lines, done.stdout.decode().split("\0\n\0"), own):
            found = urllib.parse.parse_qsl(case[3], keep_blank_values=True)
            wanted = [f"--{key}" if value == "true" else f"--{key}={value}" for key, value in found if key != "view"]
            words = words.split("\0")
            joined = [a if a in wanted else f"{a}={b}" for a, b in zip(words[3:], [*words[4:], ""]) if a.startswith("--")]
            checks.equal(f"{os.path.basename(page)}: {line}", joined[: len(wanted)], wanted)
            checks.equal("the copied line names the command and the file", words[:3], ["looptrail", case[2], os.path.basename(case[1])])


def planted(looptrail, scratch):
    """A page, and its events: on each of twenty days, two of ten users with `x` go on, and eight of ten with `y`."""
    path, page = os.path.join(scratch, "planted.ndjson"), os.path.join(scratch, "planted.html")
    with open(path, "w") as file:
        for number in range(400):
            value, place = "xy"[number % 2], number // 2
            time_of = 1767225600000 + place % 20 * explore_cases.DAY + number * 1000
            for seq, name in enumerate("ab" if place // 20 < (2 if value == "x" else 8) else "a", 1):
                event = {"v": 1, "t_ms": time_of + seq, "name": name, "user": f"u{number}", "session": f"s{number}", "seq": seq,
                         "id": f"{number}-{seq}", "props": {"p": value}}
                file.write(json.dumps(event) + "\n")
    looptrail.run("explore", path, "--min-users", "1", "--quiet", "-o", page)
    return page, path


def healthy(looptrail, scratch):
    """A question, with the command's answer: only the few users with `bad` convert less. They differ so much among themselves that the
    large group without a fault is surer than theirs, as long as `bad` is among the others."""
    path, page = os.path.join(scratch, "healthy.ndjson"), os.path.join(scratch, "healthy.html")
    visits = [(user, visit, "bad", visit < (20 if user % 2 else 4)) for user in range(25) for visit in range(40)]
    visits += [(user, 0, "small", user // 10 % 50 < 23) for user in range(25, 525)]
    visits += [(user, 0, "large", user // 10 % 2 == 0) for user in range(525, 6525)]
    # So few users have an empty text, which is no group.
    visits += [(user, 0, "", False) for user in (6525, 6526)]
    with open(path, "w") as file:
        for user, visit, value, converts in visits:
            time_of = explore_cases.BASE + (user + visit) % 10 * explore_cases.DAY + visit * 1_000_000
            for seq, name in enumerate("ab" if converts else "a", 1):
                event = {"v": 1, "t_ms": time_of + seq, "name": name, "user": f"u{user}", "session": f"s{user}-{visit}", "seq": seq,
                         "id": f"{user}-{visit}-{seq}", "props": {"p": value}}
                file.write(json.dumps(event) + "\n")
    looptrail.run("explore", path, "--min-users", "1", "--quiet", "-o", page)
    looptrail.run("explore", path, "--min-users", "3", "--quiet", "-o", page + ".folded.html")
    asked = [("steps", "a > b"), ("window", "1h"), ("breakdown", "props.p")]
    answer = json.loads(looptrail.run("funnel", path, *[f"--{key}={value}" for key, value in asked], "--format", "json", "--quiet").stdout)
    assert {group["value"]: group["claim"]["kind"] for group in answer["groups"] if group["claim"]} == {"large": "none", "bad": "less", "small": "none"}, answer
    return page, path, "funnel", fragment_of("funnel", asked), answer, "a healthy group"


def differs(checks, engine, looptrail, asked):
    """The differences and intervals that the page finds between groups must be those of the command's claims, and its findings must be the
    claims that hold."""
    source = ("JSON.stringify(((q) => q && [q.values.map((g) => ({name: q.names[g], ...q.claims()[g].claim})).map(({name, difference, ci95}) =>"
              " ({name, difference, ci95})), E.findings([q]).map((one) => one.sentence)])"
              "(E.questionOf(D, new Map([['steps', 'a > b'], ['window', '1d']]), PATH)))")
    found = held = 0
    for page, own in by_page(asked):
        engine.open(page)
        for path in ("props.p", "session.x"):
            groups, sentences = json.loads(engine.tab.value(source.replace("PATH", json.dumps(path)))) or ([], [])
            if not groups:
                continue
            wanted = json.loads(looptrail.run(
                "funnel", own[0][1], "--steps", "a > b", "--window", "1d", "--breakdown", path, "--format", "json", "--quiet",
                *["--no-identify"] * (not json.loads(unpacked(page)["head"])["identify"]), *["--tz", json.loads(unpacked(page)["head"])["tz"]]).stdout)
            claims = {group["value"]: group["claim"] for group in wanted["groups"] if group["claim"]}
            for group in groups:
                claim = claims.get(group["name"]) or {}
                why = difference([group["difference"], group["ci95"]], [claim.get("difference"), claim.get("ci95")])
                checks.that(f"{os.path.basename(page)}: {path} = {group['name']}: the claim's difference", not why, why or "")
                found += group["difference"] is not None
            holding = sorted(claim["sentence"] for claim in claims.values() if claim["holds"])
            checks.equal(f"{os.path.basename(page)}: {path}: what holds", sorted(sentences), holding)
            held += len(holding)
    checks.that("some groups are compared, and something holds of some", found > 0 and held > 0, f"{found} compared, {held} hold")


def coverage(engine, looptrail, asked):
    """How many of the engine's blocks the questions reach, and how many blocks there are."""
    engine.tab.call("Profiler.enable")
    engine.tab.call("Profiler.startPreciseCoverage", callCount=True, detailed=True)
    engine.load(engine_source(), "measured.js")
    first_difference(engine, asked, Checks())
    folded(Checks(), engine, asked)
    refusals(Checks(), engine, looptrail, *asked[0][:2])
    copied(Checks(), engine, asked)
    differs(Checks(), engine, looptrail, asked)
    found = engine.tab.call("Profiler.takePreciseCoverage")["result"]
    blocks = [part for script in found if script["url"].endswith("measured.js") for one in script["functions"] for part in one["ranges"]]
    engine.tab.call("Profiler.stopPreciseCoverage")
    return sum(part["count"] > 0 for part in blocks), len(blocks)


def mutants(checks, engine, asked):
    source = engine_source()
    for number, (old, new) in enumerate(MUTANTS, 1):
        if not checks.that(f"mutant {number} fits the engine", source.count(old) == 1, f"{source.count(old)} × {old!r}"):
            continue
        engine.load(source.replace(old, new))
        try:
            found = first_difference(engine, asked)
        except Exception as error:
            found = str(error)
        checks.that(f"mutant {number} is found: {old!r} → {new!r}", found)
    engine.load(source)


def state(page):
    for _ in range(600):
        found = page.value("document.documentElement.dataset.state")
        if found not in (None, "loading", "busy"):
            return found
        time.sleep(0.02)
    return found


def go(page, fragment):
    page.value(f"location.hash = {json.dumps(fragment)}")
    for _ in range(600):
        if page.value("document.documentElement.dataset.asked") == fragment:
            break
        time.sleep(0.01)
    return state(page)


def result(page):
    return json.loads(page.value("document.getElementById('result').textContent"))


def silent(checks, title, page):
    # Leaves out reports about entries of the history without a click, because this script makes such entries.
    said = [one for one in page.messages() if "MarkedSkippable" not in json.dumps(one)]
    checks.equal(f"{title}: no console message", said, [])
    checks.equal(f"{title}: no request", page.requests(), [])


def shop(looptrail, scratch):
    folder = os.path.join(scratch, "demo")
    looptrail.run("demo", folder, "--people", "300", "--quiet")
    page = os.path.join(scratch, "shop.html")
    looptrail.run("explore", f"{folder}/events", "--quiet", "-o", page)
    return f"{folder}/events", page


STEPS = "catalog_viewed > product_viewed > cart_added > payment_succeeded"
VIEWS = {
    "": "ready", f"steps={urllib.parse.quote_plus(STEPS)}&window=1h&breakdown=session.platform": "ready",
    f"view=trend&steps={urllib.parse.quote_plus(STEPS)}&window=1h": "ready", "view=retention&start=catalog_viewed&return=catalog_viewed": "ready",
    "view=paths&from=cart_added": "ready", f"view=users&steps={urllib.parse.quote_plus(STEPS)}&step=3&dropped=true": "ready",
    "view=user&steps=cart_added&user=3": "ready", "steps=cart_added+%3E": "wrong", "steps=a&by=props.x": "refused", "steps=a&colour=red": "refused",
}


def pages(checks, browser, looptrail, scratch, pictures):
    events, path = shop(looptrail, scratch)
    for width, height in ((390, 844), (1280, 800), (1920, 1080)):
        for dark in (False, True):
            page = Page(browser, path, width, height, dark=dark)
            checks.equal(f"{width}: it opens", state(page), "ready")
            for number, (fragment, wanted) in enumerate(VIEWS.items()):
                title = f"{width} {'dark' if dark else 'light'} #{fragment}"
                checks.equal(f"{title}: state", go(page, fragment) if fragment else state(page), wanted)
                checks.that(f"{title}: nothing is wider than the screen", page.value("document.documentElement.scrollWidth") <= width)
                contrast = page.value(CONTRAST)
                checks.that(f"{title}: contrast", contrast[0] >= 4.5, str(contrast))
                small = page.value(
                    "[...document.querySelectorAll('#answer a, #answer button, form input, form select, form button')].filter((one) =>"
                    " one.getClientRects().length && (one.getBoundingClientRect().height < 23.5 || one.getBoundingClientRect().width < 12))"
                    ".map((one) => one.outerHTML.slice(0, 80))")
                checks.equal(f"{title}: what is clicked is large enough", small, [])
                nameless = page.value(
                    "[...document.querySelectorAll('input, select, textarea, button, a')].filter((one) => !(one.getAttribute('aria-label')"
                    " || one.textContent.trim() || one.labels?.[0]?.textContent.trim())).length")
                checks.equal(f"{title}: every control has a name", nameless, 0)
                if pictures:
                    page.screenshot(os.path.join(pictures, f"explore-{width}-{'dark' if dark else 'light'}-{number}.png"))
            silent(checks, f"{width}", page)
            if pictures and width == 1280 and not dark:
                page.pdf(os.path.join(pictures, "explore.pdf"))
            page.close()
    page = Page(browser, path, 1280, 800)
    page.call("Emulation.setTimezoneOverride", timezoneId="Pacific/Kiritimati")
    state(page)
    go(page, "view=trend&steps=cart_added")
    wanted = looptrail.json("trend", events, "--steps", "cart_added", "--quiet")
    checks.equal("a browser in another zone has the same days", [p["start_ms"] for p in result(page)["points"]], [p["start_ms"] for p in wanted["points"]])
    go(page, f"steps={urllib.parse.quote_plus(STEPS)}&window=1h&exclude=!cart_viewed%401-2&since=2026-01-03")
    line = page.value("document.querySelector('#command').textContent")
    os.makedirs(os.path.join(scratch, "bin"), exist_ok=True)
    done = subprocess.run(
        ["bash", "-c", line.replace("looptrail", looptrail.binary, 1).replace(" events ", f" {events} ") + " --format json --quiet"],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=scratch)
    found = difference(result(page), compared("funnel", {}, json.loads(done.stdout))) if done.returncode == 0 else done.stderr
    checks.that("the copied line answers the same in bash", not found, f"{line}: {found}")
    # Uses only the keyboard: focuses the first step's menu and chooses another event. The focus must stay there.
    page.value("document.getElementById('s0-name').focus()")
    for kind in ("rawKeyDown", "char", "keyUp"):
        page.call("Input.dispatchKeyEvent", type=kind, key="p", text="p", code="KeyP", windowsVirtualKeyCode=80)
    page.value("document.getElementById('s0-name').blur(); document.getElementById('s0-name').focus()")
    for _ in range(100):
        if "payment" in page.value("location.hash") or "product" in page.value("location.hash.slice(0, 25)"):
            break
        time.sleep(0.02)
    state(page)
    checks.that("a key in a menu asks another question", result(page)["steps"][0]["name"].startswith("p"), page.value("location.hash"))
    checks.equal("the focus stays after a key in a menu", page.value("document.activeElement.id"), "s0-name")
    reached = set()
    for _ in range(80):
        for kind in ("keyDown", "keyUp"):
            page.call("Input.dispatchKeyEvent", type=kind, key="Tab", code="Tab", windowsVirtualKeyCode=9)
        reached.add(page.value("document.activeElement.id || document.activeElement.textContent.slice(0, 12)"))
    wanted = {"s0-name", "s0-filter", "s1-optional", "s0-down", "s0-remove", "s-add", "q-steps", "q-window", "q-order", "q-by", "bar-0", "copy-command"}
    checks.equal("the Tab key reaches every control", wanted - reached, set())
    silent(checks, "keyboard", page)
    pressed(checks, page)
    page.close()


def click(page, which):
    """Clicks with the mouse, and holds the button about as long as a hand does."""
    place = page.value(
        f"(() => {{ const one = document.querySelector({json.dumps(which)}); one.scrollIntoView({{block: 'center'}});"
        " const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()")
    for kind in ("mousePressed", "mouseReleased"):
        page.call("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)
        time.sleep(0.1)
    state(page)


def pressed(checks, page):
    """A click must also apply what was typed before it. The focus must stay on the control that was used, or near it."""
    steps = "a > b > c"
    added = page.value("document.querySelector('#s0-name option:nth-child(2)').text")
    for which, wanted in {
        "#s-add": f"steps={steps} > {added}&window=2h", "#q-mature": f"steps={steps}&window=2h&mature=true",
        "#bar-0": f"view=users&steps={steps}&window=2h&step=1", "nav li:nth-child(2) a": f"view=trend&steps={steps}&window=2h",
    }.items():
        go(page, f"steps={urllib.parse.quote_plus(steps)}")
        click(page, "#q-window")
        page.call("Input.insertText", text="2h")
        click(page, which)
        checks.equal(f"a click on {which} after typing", urllib.parse.unquote_plus(page.value("location.hash.slice(1)")), wanted)
    for which, wanted in {"#s2-up": "s1-up", "#s1-up": "s0-name", "#s2-remove": "s1-remove", "#s0-down": "s1-down", "#bar-0": "answer"}.items():
        go(page, f"steps={urllib.parse.quote_plus(steps)}")
        click(page, which)
        checks.equal(f"the focus after {which}", page.value("document.activeElement.id"), wanted)
    # What is typed for one more excluded event becomes a row, and its field keeps the focus.
    go(page, f"steps={urllib.parse.quote_plus(steps)}")
    for number, name in enumerate("xy"):
        click(page, f"#x{number}")
        page.call("Input.insertText", text=name)
        page.call("Input.dispatchKeyEvent", type="keyDown", key="Enter", text="\r", windowsVirtualKeyCode=13)
        wanted = [f"x{number}", f"steps={steps}" + "".join(f"&exclude={one}" for one in "xy"[: number + 1])]
        got = [page.value("document.activeElement.id"), urllib.parse.unquote_plus(page.value("location.hash.slice(1)"))]
        checks.equal(f"the focus and the question after excluding {name}", got, wanted)
    # A wrong question keeps its fields. A change also removes settings that no longer fit.
    go(page, f"steps={urllib.parse.quote_plus(steps)}")
    click(page, "#s1-filter")
    page.call("Input.insertText", text="p=>5")
    click(page, "#s2-optional")
    wanted = ["wrong", "steps=a > b[p=>5] > c?", "p=>5"]
    got = page.value("[document.documentElement.dataset.state, decodeURIComponent(location.hash.slice(1)).replaceAll('+', ' '), document.getElementById('s1-filter').value]")
    checks.equal("a filter that cannot be read keeps the steps", got, wanted)
    for fragment, which, wanted in (
        ("steps=a+%3E+b%3F+%3E+c", "#s0-remove", "steps=b > c"),
        ("view=users&steps=a+%3E+b&step=2&dropped=true", "#s1-remove", "view=users&steps=a"),
    ):
        go(page, fragment)
        click(page, which)
        checks.equal(f"after {which} of #{fragment}", [urllib.parse.unquote_plus(page.value("location.hash.slice(1)")), state(page)], [wanted, "ready"])
    # A tab leads back to its last question, with later changes of settings that both tabs have.
    go(page, "steps=a+%3E+b&mature=true&since=2026-01-03")
    for tab in (3, 1):
        click(page, f"nav li:nth-child({tab}) a")
        got = dict(urllib.parse.parse_qsl(page.value("location.hash.slice(1)")))
        own = {"steps": "a > b", "mature": "true"} if tab == 1 else {"view": "retention", "start": "a", "return": "a"}
        checks.equal(f"tab {tab}", got, {**own, "since": "2026-01-03"})
    go(page, "steps=cart_added+%3E+card_added%5Bprize%3D1%5D&breakdown=prices&exclude=cart_viewed")
    checks.equal("unknown names are listed", page.value("document.querySelector('.note')?.textContent"),
                 "Nothing here has the name card_added, props.prize, props.prices.")
    silent(checks, "pressed", page)


def hostile(checks, browser, looptrail, scratch):
    """Tries hostile texts as names, users, keys and values, each beside a harmless event."""
    path, page = os.path.join(scratch, "hostile.ndjson"), os.path.join(scratch, "hostile.html")
    with open(path, "w") as file:
        for number, text in enumerate(HOSTILE_TEXTS):
            for user in range(2):
                fields = {"v": 1, "t_ms": 1000 * number + user, "user": text + "x" * user, "session": f"s{number}"}
                file.write(json.dumps({**fields, "name": text, "props": {text: text, "p": text}}) + "\n")
                file.write(json.dumps({**fields, "name": "then", "props": {}}) + "\n")
            file.write(json.dumps({"v": 1, "t_ms": 0, "type": "meta", "name": "session_started", "session": f"s{number}", "props": {"c": text}}) + "\n")
    done = looptrail.run("explore", path, "--min-users", "1", "--with-ids", "--quiet", "-o", page)
    checks.equal("hostile: written", done.returncode, 0)
    tab = Page(browser, page, 390, 800)
    checks.equal("hostile: opens", state(tab), "ready")
    quoted = [explore_cases.quoted(text) for text in HOSTILE_TEXTS]
    for text, word in zip(HOSTILE_TEXTS, quoted):
        steps = f"{word}[p={word}] > then"
        go(tab, "steps=" + urllib.parse.quote_plus(steps) + "&breakdown=session.c")
        # A command line cannot hold a NUL.
        if "\0" not in text:
            wanted = looptrail.json("funnel", path, "--steps", steps, "--breakdown", "session.c", "--quiet")
            found = difference(result(tab), compared("funnel", {}, wanted))
            checks.that(f"hostile {text!r}: counts", not found, found or "")
        checks.that(f"hostile {text!r}: width", tab.value("document.documentElement.scrollWidth") <= 390)
        for fragment in (f"view=users&steps={urllib.parse.quote_plus(word)}", f"view=paths&from={urllib.parse.quote_plus(text)}", "view=user&steps=then&user=1"):
            checks.equal(f"hostile {text!r}: {fragment[:12]}", go(tab, fragment), "ready")
        checks.that(f"hostile {text!r}: width of others", tab.value("document.documentElement.scrollWidth") <= 390)
    checks.equal("hostile: nothing ran", tab.value("[window.hit, document.title, document.querySelectorAll('img, iframe, object').length]"), [None, "Explore", 0])
    silent(checks, "hostile", tab)
    tab.close()


def damaged(checks, browser, looptrail, scratch):
    _, path = os.path.join(scratch, "demo/events"), os.path.join(scratch, "shop.html")
    with open(path) as file:
        whole = file.read()

    def block(name, bytes_):
        text = base64.b64encode(gzip.compress(bytes_)).decode()
        return re.sub(rf'(id="c-{name}">)[^<]*', lambda found: found.group(1) + text, whole)

    columns = unpacked(path)
    head = json.loads(columns["head"])
    for title, text in {
        "cut": block("t", columns["t"][:-1]), "too long": block("n", columns["n"] + b"\0"), "version": block("head", json.dumps({**head, "looptrail_explore": 2}).encode()),
        "not packed": re.sub(r'(id="c-s">).{40}', r"\1", whole), "missing": re.sub(r'<script type="application/octet-stream" id="c-u">[^<]*</script>', "", whole),
        "counts": block("head", json.dumps({**head, "events": head["events"] + 1}).encode()),
    }.items():
        spoiled = os.path.join(scratch, "spoiled.html")
        with open(spoiled, "w") as file:
            file.write(text)
        page = Page(browser, spoiled, 800)
        checks.equal(f"damaged, {title}: the page says so", state(page), "broken")
        checks.that(f"damaged, {title}: the page shows nothing else", page.value("document.querySelectorAll('form, .bars').length") == 0)
        page.close()
    # The page reads a property's column only when it is needed. No property of the shop has 126 values that many users have.
    number = next(n for n, one in enumerate(head["props"]) if len(one["values"]) + len(one["ranges"]) < 126 and max(columns[f"p{n}"]) > 0)
    with open(spoiled, "w") as file:
        file.write(block(f"p{number}", bytes(127 if code else 0 for code in columns[f"p{number}"])))
    page = Page(browser, spoiled, 800)
    for _ in range(600):
        if state(page) == "broken":
            break
        time.sleep(0.02)
    said = "data are damaged: an unknown value"
    checks.that("damaged, an unknown value: the page says so", said in page.value("document.body.innerText"))
    checks.that("damaged, an unknown value: a live text says so", said in page.value("document.getElementById('live').textContent"))
    page.close()
    empty, path = os.path.join(scratch, "empty.ndjson"), os.path.join(scratch, "none.html")
    open(empty, "w").close()
    looptrail.run("explore", empty, "--quiet", "-o", path)
    page = Page(browser, path, 800)
    checks.equal("without events the page says so", (state(page), result(page)), ("wrong", {"wrong": "There are no events in this page."}))
    page.close()
    page = Page(browser, path, 800, scripts=False)
    checks.that("without scripts the page names the command", "looptrail funnel" in page.value("document.body.innerText"))
    page.close()


def gaps(checks, browser, looptrail, scratch):
    """The trend's chart must not draw through days without data, nor over its own labels. A cut list of events must say so."""
    path, out = os.path.join(scratch, "gaps.ndjson"), os.path.join(scratch, "gaps.html")
    with open(path, "w") as file:
        for day in (0, 1, 2, 6, 7, 8):
            for number in range(400):
                fields = {"v": 1, "t_ms": explore_cases.BASE + day * explore_cases.DAY + number, "user": "u", "session": f"{day} {number}"}
                file.write(json.dumps({**fields, "name": "a", "props": {}}) + "\n")
    looptrail.run("explore", path, "--quiet", "-o", out)
    for width in (390, 1920):
        page = Page(browser, out, width)
        go(page, "view=trend&steps=a&include-open=true")
        checks.equal(f"{width}: a line for each run of days", page.value(
            "[...document.querySelectorAll('.line.open')].map((one) => one.getAttribute('points').split(' ').length)"), [3, 3])
        checks.equal(f"{width}: a band for each run of days", page.value("document.querySelectorAll('.band').length"), 2)
        checks.that(f"{width}: no label reaches into the plot", page.value(
            "(() => { const right = Math.max(...[...document.querySelectorAll('svg text')].filter((one) => one.getAttribute('x') === '0')"
            ".map((one) => one.getBBox().x + one.getBBox().width)); return right < Number(document.querySelector('.grid').getAttribute('x1')) - 4; })()"))
        go(page, "view=user&user=1")
        checks.that(f"{width}: a cut list says so", "The first 2,000 are listed." in page.value("document.querySelector('#answer').innerText"))
        page.close()


def busy(checks, engine, looptrail, scratch):
    """Four times the visits of one user must not cost the engine more than eight times the time."""
    times = {}
    for visits in (4_000, 16_000):
        path, page = os.path.join(scratch, f"busy{visits}.ndjson"), os.path.join(scratch, f"busy{visits}.html")
        with open(path, "w") as file:
            for number in range(3 * visits):
                fields = {"v": 1, "t_ms": explore_cases.BASE + 5_000 * number, "name": "abc"[number % 3], "user": "u", "session": f"s{number // 3}"}
                file.write(json.dumps({**fields, "props": {}}) + "\n")
        looptrail.run("explore", path, "--quiet", "-o", page)
        engine.open(page)
        for order in ("ordered", "strict"):
            question = json.dumps(f"steps=a+%3E+b+%3E+z&count=visits&order={order}")
            times[visits, order] = engine.tab.value(
                f"Math.min(...[1, 2, 3].map(() => {{ const from = performance.now(); E.ask(D, {question}); return performance.now() - from; }}))")
    for order in ("ordered", "strict"):
        few, many = times[4_000, order], times[16_000, order]
        checks.that(f"busy: {order}", many <= 8 * max(few, 5), f"{few:.1f} ms and {many:.1f} ms")


def private(checks, looptrail, scratch):
    """The unpacked page must hold no user's id and no value of few users."""
    path, page = os.path.join(scratch, "private.ndjson"), os.path.join(scratch, "private.html")
    with open(path, "w") as file:
        for number in range(60):
            props = {"mail": f"person{number}@example.org", "total": 73100.25 + 13 * number, "plan": "pro"}
            fields = {"v": 1, "t_ms": 1000 + number, "user": f"secret-user-{number}", "session": f"secret-session-{number}", "id": f"secret-id-{number}"}
            file.write(json.dumps({**fields, "name": "a", "props": props}) + "\n")
    looptrail.run("explore", path, "--quiet", "-o", page)
    everything = b"\n".join(unpacked(page).values()).decode("latin-1")
    checks.equal("no id, no text and no number of few users", re.findall(r"secret|person|example|" + "|".join(f"{73100 + 13 * n}\\.25" for n in range(60)), everything), [])
    checks.that("what many users have is there", "pro" in everything)


def borders(checks, browser, engine, looptrail, scratch):
    """The page must refuse a test inside a range of folded numbers, and name short tests at its borders, which it can count exactly."""
    path, page = os.path.join(scratch, "borders.ndjson"), os.path.join(scratch, "borders.html")
    with open(path, "w") as file:
        for number in range(12):
            props = ",".join(f'"{key}":{values[number]}' for key, values in explore_cases.FOLDED.items())
            for name in ("a", "b")[: 1 + number % 2]:
                file.write('{"v":1,"t_ms":%d,"name":"%s","user":"u%d","props":{%s}}\n' % (number, name, number, props))
    looptrail.run("explore", path, "--min-users", "3", "--quiet", "-o", page)
    engine.open(page)
    steps = [f"a[{key}{op}{value}] > b" for key, values in explore_cases.FOLDED.items() for op in ("=", "!=", "<", "<=", ">", ">=", "~") for value in values]
    named = set()
    for text, got in zip(steps, engine.ask([f"steps={urllib.parse.quote_plus(text)}" for text in steps])):
        own = re.findall("`([^`]+)`", got["refused"]["why"]) if "refused" in got else None
        # A test has no border if it also compares folded texts, or looks for a part of a text.
        wanted = 0 if "~" in text or text.startswith("a[mixed") and not re.match(r"a\[mixed!?=\d", text) else 1
        checks.that(f"borders: {text}: names what can be asked", own is not None and wanted <= len(own) <= 2 * wanted, str(got)[:200])
        named.update(own or [])
    named = sorted(named)
    whole = [f"a[{test}] > b" for test in named]
    with concurrent.futures.ThreadPoolExecutor() as threads:
        answers = list(threads.map(lambda text: looptrail.json("funnel", path, "--steps", text, "--quiet"), whole))
    for test, got, wanted in zip(named, engine.ask([f"steps={urllib.parse.quote_plus(text)}" for text in whole]), answers):
        checks.that(f"borders: {test} is short", not re.search(r"0{6}\.?0*[1-9]|9{6}", re.sub(r"^.*[=<>]-?(0\.0*)?", "", test)), test)
        checks.equal(f"borders: {test} counts as the command does", difference(got, compared("funnel", got, wanted)), None)
    tab = Page(browser, page, 800)
    checks.equal("borders: the page refuses", go(tab, "steps=a%5Btenths%3E%3D0.5%5D"), "refused")
    shown = tab.value("document.querySelector('#answer').innerText")
    checks.that("borders: the page shows the nearest", "`tenths>=0.31` and `tenths>=0.61` can be asked" in shown, shown)
    tab.close()
    print(f"borders: {len(named)} named")


def written(checks, engine, looptrail, scratch):
    """The command that a page names must have the flags of the page. The page must refuse a saved funnel that it cannot count."""
    folder = os.path.join(scratch, "written")
    os.makedirs(folder)
    for name, users in (("one.ndjson", range(30)), ("two.ndjson", range(20, 60))):
        with open(os.path.join(folder, name), "w") as file:
            for user in users:
                for event, minute in [("a", 0), ("a", 10)] + ([("b", 12)] if user % 2 else []):
                    file.write(json.dumps({"v": 1, "t_ms": 60_000 * minute + user, "name": event, "user": f"-{user}", "props": {"x": user % 3}}) + "\n")
    saved = [{"steps": "a > b", "count": "visits", "session-timeout": "5m"}, {"steps": "a > b", "identify": False},
             {"steps": "a > b", "breakdown": "props.x", "count": "users", "session-timeout": "30m", "identify": True}]
    for name, text in (("some.csv", "".join(f"-{user}\n" for user in range(10, 50))), ("saved.json", json.dumps(saved))):
        with open(os.path.join(folder, name), "w") as file:
            file.write(text)
    page = os.path.join(folder, "page.html")
    words = ["one.ndjson", "two.ndjson", "--only-users", "some.csv", "--funnels", "saved.json", "--with-ids"]
    done = subprocess.run([looptrail.binary, "explore", *words, "--quiet", "-o", page], cwd=folder, capture_output=True, text=True)
    checks.equal("written: no error from explore", done.stderr, "")
    engine.open(page)

    def command_of(fragment):
        line = engine.tab.value(f"E.command(D, E.ask(D, {json.dumps(fragment)}).asked)")
        _, name, *rest = shlex.split(line)
        words = [looptrail.binary, name, "--format", "json", "--quiet", *rest]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True)
        checks.equal(f"written: `{line}` runs", done.stderr, "")
        answer = json.loads(done.stdout or "{}")
        # The page's answers lack this field: a note on the page says whose events it holds.
        answer.get("definition", {}).pop("only_users", None)
        return answer

    fragments = [urllib.parse.urlencode({key: value for key, value in funnel["ask"].items() if value}) for funnel in
                 json.loads(engine.tab.value("JSON.stringify(D.head.funnels)"))]
    refused = [engine.ask([fragment])[0].get("refused", {}).get("what") for fragment in fragments]
    checks.equal("written: what the page cannot count is refused", refused, ["--session-timeout", "--no-identify", None])
    for fragment in fragments[2:] + ["steps=a+%3E+b"]:
        checks.equal(f"written: {fragment} is the command's", difference(engine.ask([fragment])[0], compared("funnel", {}, command_of(fragment))), None)
    for fragment in fragments[:2]:
        command_of(fragment)
    checks.that("written: the command explains a user whose id looks like a flag", command_of("view=user&user=1&steps=a+%3E+b"))


def told(checks, browser, looptrail, scratch):
    """The page says what is still open and what is left out. No sentence denies another. A copied command asks whose id it needs."""
    path, page = os.path.join(scratch, "told.ndjson"), os.path.join(scratch, "told.html")
    with open(path, "w") as file:
        for visit in range(28 * 200):
            day, place = divmod(visit, 200)
            for seq, name in enumerate("ab" if place < (100 if day < 14 else 92) else "a", 1):
                event = {"v": 1, "t_ms": 1767225600000 + day * explore_cases.DAY + place * 60_000 + seq, "name": name, "user": f"u{visit % 2000}"}
                file.write(json.dumps({**event, "session": f"s{visit}", "seq": seq, "id": f"{visit}-{seq}", "props": {}}) + "\n")
    mark = ["--mark", "2026-01-15=rel"]
    looptrail.run("explore", path, "--min-users", "1", "--quiet", *mark, "-o", page)
    tab = Page(browser, page, 1280)
    texts = lambda: tab.value("document.querySelector('#answer').innerText")
    go(tab, "view=trend&steps=a+%3E+b&window=1h")
    wanted = looptrail.json("trend", path, "--steps", "a > b", "--window", "1h", *mark, "--quiet")
    checks.that("told: a fall at a mark", wanted["verdict"]["kind"] == "steady" and wanted["marks"][0]["claim"]["holds"], str(wanted["verdict"]))
    checks.equal("told: the verdict is the command's", result(tab)["verdict"]["sentence"], wanted["verdict"]["sentence"])
    late = "more, left out here, entered too late to be mature when the data ended."
    for what in (f"60 {late}", "Steady but for the marks: no other lasting", "8 times in 10."):
        checks.that(f"told in a trend: {what}", what in texts(), texts()[:600])
    for fragment, what in {
        "steps=a+%3E+b&mature=true&window=60d": f"Nothing matched step 1 in time to be mature. 2,000 {late}",
        "steps=z": "Nothing matched step 1.", "steps=z+%3E+b&mature=true": "Nothing matched step 1.", "view=trend&steps=z": "Nothing matched step 1.",
        "steps=a+%3E+b&mature=true&window=1h&count=visits": f"60 {late}",
        "view=trend&steps=a+%3E+b&window=60d": f"5,600 {late}",
        "view=trend&steps=a+%3E+b&window=60d&count=users": f"2,000 {late}",
        "view=paths&from=a&count=attempts": "of those that ended still had time when the data ended.",
        "steps=a&colour=red": "As a command: looptrail funnel",
    }.items():
        go(tab, fragment)
        checks.that(f"told at {fragment}: {what}", what in " ".join(texts().split()), texts()[:600])
        checks.that(f"no invented flag at {fragment}", "--colour" not in texts(), texts()[:600])
    for fragment in ("view=user&user=3&steps=a", "view=user&user=3", "view=user&user=3&by=session&steps=a"):
        go(tab, fragment)
        line = tab.value("document.querySelector('#command').innerText")
        done = subprocess.run(["bash", "-c", f"looptrail() {{ echo asked; }}; {line}"], capture_output=True, text=True)
        checks.that(f"told at {fragment}: a shell asks whose, and runs nothing", done.returncode != 0 and not done.stdout and "whose" in done.stderr, line)
    silent(checks, "told", tab)
    tab.close()
    # A link straight to a user leads on to steps; what is wrong is shown as it is, with the switch that was meant.
    for fragment, what in {
        "view=user&user=1&by=session": "user: this page has no sessions", "view=users&steps=a&dropped=tru": "--dropped=tru",
        "steps=a&order=%E2%80%AE" + "x" * 700: "‹U+202E›xx",
    }.items():
        with open(path, "w") as file:
            file.writelines(json.dumps({"v": 1, "t_ms": time, "name": "a", "user": user, "props": {"p": "x"}}) + "\n" for time, user in (
                (1767225600000, "*"), (1767225600001, "v"), (4102444800000, "v"), (1767225600000000, "v")))
        looptrail.run("explore", path, "--min-users", "1", "--quiet", "--with-ids", "-o", page)
        tab = Page(browser, page, 1280)
        go(tab, "view=user&user=1")
        checks.that("told: a pattern is no user", '"${ID:?whose}"' in texts(), texts()[-300:])
        for number in (1, 2):
            go(tab, "view=user&user=1")
            click(tab, f"nav li:nth-child({number}) a")
            checks.equal(f"told: tab {number} behind a user", (state(tab), result(tab).get("definition", {}).get("steps", [{}])[0].get("name")), ("ready", "a"))
        # Events of wild times have periods of their own.
        for view, flags in {"trend": "steps=a", "retention": "start=a&return=a", "funnel": "steps=a&breakdown=p"}.items():
            go(tab, f"view={view}&{flags}")
            wanted = looptrail.json(view, path, *[f"--{one}" for one in flags.split("&")], "--quiet")
            checks.equal(f"told: {view} with wild times", difference(result(tab), compared(view, result(tab), wanted)), None)
        go(tab, "view=trend&steps=a")
        days = tab.value("[...document.querySelectorAll('#answer tbody th')].map((cell) => cell.innerText.split(' ')[0])")
        checks.equal("told: the days of wild times", days, ["2026-01-01", "2100-01-01", "57971-02-25"])
        go(tab, fragment)
        checks.that(f"told at {fragment[:40]}: {what}", what in texts() and len(texts()) < 1600, texts()[:300])
        tab.close()
    # Samoa had no 30 December 2011.
    with open(path, "w") as file:
        for day in range(5):
            file.write(json.dumps({"v": 1, "t_ms": 1325066400000 + day * explore_cases.DAY, "name": "a", "user": "u", "props": {}}) + "\n")
    looptrail.run("explore", path, "--min-users", "1", "--quiet", "--tz", "Pacific/Apia", "-o", page)
    tab = Page(browser, page, 1280)
    go(tab, "view=trend&steps=a&include-open=true")
    days = tab.value("[...document.querySelectorAll('#answer tbody th')].map((cell) => cell.innerText.split(' (')[0])")
    checks.equal("told: no date is a day off", days, ["2011-12-28", "2011-12-29", "2011-12-31", "2012-01-01", "2012-01-02"])
    for since, entered in (("2011-12-30", 3), ("2012-01-01", 2)):
        go(tab, f"steps=a&count=visits&since={since}")
        checks.equal(f"told: since {since}", result(tab)["overall"]["entered"], entered)
    tab.close()
    # Clocks in Berlin show two o'clock twice that night.
    with open(path, "w") as file:
        for hour in range(3):
            file.write(json.dumps({"v": 1, "t_ms": 1792882800000 + hour * 3_600_000, "name": "a", "user": "u", "props": {}}) + "\n")
    looptrail.run("explore", path, "--min-users", "1", "--quiet", "--tz", "Europe/Berlin", "-o", page)
    tab = Page(browser, page, 1280)
    go(tab, "view=trend&steps=a&every=hour&include-open=true")
    hours = tab.value("[...document.querySelectorAll('#answer tbody th')].map((cell) => cell.innerText.split(' (')[0])")
    checks.equal("told: no two hours have one name", hours, [f"2026-10-25, hour {number}" for number in (2, 3, 4)])
    tab.close()


def samples(checks, browser, engine, looptrail, scratch, count, seed):
    """In samples of a fifth of the users, the interval of the conversion must cover that of all users, at least 92 times in 100."""
    path, page, covered = os.path.join(scratch, "sample.ndjson"), os.path.join(scratch, "sample.html"), 0
    for number in range(count):
        dice = random.Random(f"{seed} {number}")
        share, lines = dice.uniform(0.03, 0.6), []
        for user in range(1500):
            # Users differ in how often they come, and in how easily they convert.
            own = share * dice.choice([0.2, 1, 1.6])
            for visit in range(dice.choice([1, 1, 2, 4, 12])):
                names = ["a", "b"] if dice.random() < own else ["a"]
                fields = {"v": 1, "user": f"{number}-{user}", "session": f"{user} {visit}", "props": {}}
                lines += [json.dumps({**fields, "t_ms": 3_600_000 * visit + 1000 * step + user, "name": name}) for step, name in enumerate(names)]
        with open(path, "w") as file:
            file.write("\n".join(lines) + "\n")
        looptrail.run("explore", path, "--events", str(len(lines) // 5), "--quiet", "-o", page)
        engine.open(page)
        for kind in ("users", "visits"):
            got = engine.ask([f"steps=a+%3E+b&window=10m&count={kind}"])[0]
            checks.that(f"sample {number}: is of a fifth", 0.18 <= got["sample"]["share"] <= 0.2, str(got["sample"]))
            wanted = looptrail.json("funnel", path, "--steps", "a > b", "--window", "10m", "--count", kind, "--quiet")["overall"]["rate"]
            if kind == "users":
                low, high = got["overall"]["rate_ci95"]
                covered += low <= wanted <= high
            else:
                # Visits of one user are not independent, so an interval would cover less than it claims.
                intervals = [got["overall"]["rate_ci95"], *(step[f"of_{of}_ci95"] for step in got["steps"] for of in ("first", "previous"))]
                checks.that(f"sample {number}: no interval of visits", not any(intervals), str(intervals))
    print(f"samples of a fifth of the users, {count} times: the interval covers the share of all users {covered} times")
    checks.that("a sample's interval covers the truth", covered >= 0.92 * count, f"{covered} of {count}")
    tab = Page(browser, page, 1280)
    for kind, more in (("users", ""), ("visits", ""), ("users", "&by=session")):
        go(tab, f"steps=a+%3E+b&window=10m&count={kind}{more}")
        shown = tab.value("document.querySelector('#answer').innerText")
        checks.that(f"sample: {kind}{more} say about", "about" in shown and "A sample of " in shown, shown)
        checks.equal(f"sample: {kind}{more}: an interval of independent users alone", bool(re.search(r"\d–\d", shown)), kind == "users" and not more)
    tab.close()


def sizes(checks):
    """People read the scripts, so no line may be wide, and those of explore must not grow."""
    texts = {}
    for folder in ("explore", "inspect", "shared"):
        for name in sorted(os.listdir(os.path.join(PAGES, folder))):
            if name.endswith(".js"):
                with open(os.path.join(PAGES, folder, name)) as file:
                    texts[f"{folder}/{name}"] = file.read()
    wide = [f"{name}:{number}" for name, text in texts.items() for number, line in enumerate(text.split("\n"), 1) if len(line) > 140]
    checks.equal("no line of a script has more than 140 columns", wide, [])
    size = sum(len(text.encode()) for name, text in texts.items() if not name.startswith("inspect/"))
    checks.that("the scripts of explore have at most 166 kB", size <= 166_000, f"{size} bytes")


def main():
    parser = arguments(__doc__, seed=1)
    parser.add_argument("--cases", type=int, default=120)
    parser.add_argument("--mutants", action="store_true")
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--one-width", action="store_true", help="leave out the pages in each width and light")
    parser.add_argument("--samples", type=int, default=0, help="of how many made-up data to compare a sample with the whole; the design asks 200")
    parser.add_argument("--pictures", help="a folder for pictures")
    options = parser.parse_args()
    checks, looptrail = Checks(options.allow_missing), Looptrail(options.binary)
    if not Browser.find():
        checks.missing("Chromium", "install chromium")
        checks.close()
    if options.pictures:
        os.makedirs(options.pictures, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch, Browser(Browser.find()) as browser:
        asked = [*cases(looptrail, random.Random(options.seed), options.cases, scratch), healthy(looptrail, scratch)]
        engine = Engine(browser, scratch)
        engine.load(engine_source())
        first_difference(engine, asked, checks)
        folded(checks, engine, asked)
        refusals(checks, engine, looptrail, *asked[0][:2])
        copied(checks, engine, asked)
        differs(checks, engine, looptrail, [*asked, planted(looptrail, scratch)])
        borders(checks, browser, engine, looptrail, scratch)
        written(checks, engine, looptrail, scratch)
        told(checks, browser, looptrail, scratch)
        busy(checks, engine, looptrail, scratch)
        if options.samples:
            samples(checks, browser, engine, looptrail, scratch, options.samples, options.seed)
        if options.coverage:
            reached, blocks = coverage(engine, looptrail, asked)
            print(f"{reached} of {blocks} blocks reached ({100 * reached / blocks:.1f} %)")
            checks.that("95 % of the engine's blocks are reached", reached >= 0.95 * blocks)
        if options.mutants:
            mutants(checks, engine, asked)
        private(checks, looptrail, scratch)
        sizes(checks)
        if not options.one_width:
            pages(checks, browser, looptrail, scratch, options.pictures)
            damaged(checks, browser, looptrail, scratch)
            gaps(checks, browser, looptrail, scratch)
            hostile(checks, browser, looptrail, scratch)
    checks.close()


if __name__ == "__main__":
    main()
