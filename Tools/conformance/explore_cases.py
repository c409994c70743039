"""Random events and questions for `explore.py`: small sets with ties, duplicate ids, identities, sessions, missing users and odd values."""

import json
import random

NAMES = ["a", "b", "c", "d", "e", "f"]
ODD_NAMES = ["paid now", 'say "x"', "é", "e\u0301", "*", "\U0001f600", "\uff5e", "a > b"]
BASE = 1_767_225_600_000
DAY = 86_400_000
NUMBERS = [0, 1, 2, 10, 10.0, -1, -0.5, 50, 99, 9007199254740993, 9223372036854775807, 1e300]
TEXTS = ["", "x", "y", "10", "10.0", "true", "01", "ü", "u\u0308", "\U0001f600", "\uff5e", 'q"', "a,b]", " z ", "(none)", "(other)", "-"]
RAW = ["1e400", "-1e400", "1e401", "10.00", "1E1", "null", "{}", "[1]", "true", "false", '{"k":1}', "123456789012345678901234567890"]


# Values by property. Each user has one of them, so that a page folds numbers into ranges. `mixed` also has texts.
FOLDED = {
    "tenths": ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6", "0.7", "0.8", "0.9", "1", "1.1", "1.2"],
    "money": ["9.99", "12.49", "12.99", "13.49", "19.99", "20.00", "20.01", "49.90", "99.95", "100.05", "129.99", "1249.00"],
    "negative": ["-1.2", "-1.1", "-1", "-0.9", "-0.8", "-0.7", "-0.6", "-0.5", "-0.4", "-0.3", "-0.2", "-0.1"],
    "tiny": [f"{number}e-7" for number in range(1, 13)],
    "huge": [str(9007199254740980 + number) for number in range(12)],
    "moments": [str(BASE + step * DAY // 7) for step in range(12)],
    "mixed": ["1", "2", "3", "4", "5", "6", '"x1"', '"x2"', '"x3"', '"y4"', '"y5"', '"y6"'],
}


# Numbers that are equal as doubles, and texts that sort differently by code points and by UTF-16 units.
SUBTLE = [9007199254740992, 9007199254740993, 9223372036854775806, "\uff5e", "\U0001f600"]


def value(dice):
    kind = dice.random()
    if kind < 0.1:
        return json.dumps(dice.choice(SUBTLE))
    if kind < 0.45:
        return json.dumps(dice.choice(NUMBERS))
    return json.dumps(dice.choice(TEXTS), ensure_ascii=dice.random() < 0.5) if kind < 0.85 else dice.choice(RAW)


def props(dice, keys):
    chosen = [key for key in keys if dice.random() < 0.6]
    fields = [f"{json.dumps(key)}:{value(dice)}" for key in chosen]
    if dice.random() < 0.3:
        fields.append('"deep":{"k":%s,"l":{"m":%s}}' % (value(dice), value(dice)))
    if chosen and dice.random() < 0.05:
        fields.append(f"{json.dumps(chosen[0])}:{value(dice)}")
    return "{" + ",".join(fields) + "}"


def line(dice, fields, own):
    head = ",".join(f"{json.dumps(key)}:{json.dumps(one, ensure_ascii=False)}" for key, one in fields.items())
    return "{" + head + f',"props":{own}' + "}\n"


def data(dice):
    """The lines of a set, and what can be asked of it. Half of the sets are aimed: few users, names and times, and no odd names."""
    if dice.random() < 0.15:
        return visits(dice)
    aimed = dice.random() < 0.5
    users = [f"u{number}" for number in range(dice.choice([1, 2, 4, 10, 30]))]
    anonymous = [f"anon{number}" for number in range(3)]
    sessions = [f"s{number}" for number in range(dice.choice([1, 3, 8, 20]))]
    names = NAMES[: dice.randint(2, 4)] if aimed else NAMES[: dice.randint(2, 6)] + dice.sample(ODD_NAMES, 2)
    span = dice.choice([4, 10, 30, 2 * DAY]) if aimed else dice.choice([5, 20, 100, 5000, 3 * DAY, 20 * DAY])
    # In a third of the aimed sets, hardly two events share a millisecond, and windows are about as long as the time between events.
    sparse = aimed and dice.random() < 0.35
    if sparse:
        users, span = [f"u{number}" for number in range(dice.choice([6, 12, 30]))], dice.choice([10, 30])
    elif aimed:
        users = users[: dice.choice([1, 2, 4])]
    # There are few properties, so that tests in steps match often enough.
    keys = ["p", "q", "session"][: dice.randint(1, 3)]
    lines, ids = [], []
    for number in range(4 * len(users) if sparse else dice.choice([3, 8, 20, 40, 80, 200] if aimed else [3, 20, 80, 200, 400])):
        time = BASE + dice.randrange(span)
        fields = {"v": 1, "t_ms": time, "name": dice.choice(names)}
        if dice.random() < 0.85:
            fields["session"] = dice.choice(sessions)
        # Events of one session in one millisecond have the same user. Otherwise the user of their visit would be undefined.
        own = random.Random(f"{fields['session']} {time}") if "session" in fields else dice
        if own.random() < 0.92:
            fields["user"] = own.choice(users + anonymous if own.random() < 0.3 else users)
        if dice.random() < 0.6:
            fields["id"] = dice.choice(ids) if ids and dice.random() < 0.1 else f"i{number}"
            ids.append(fields["id"])
        lines.append(line(dice, fields, props(dice, keys)))
    for session in sessions:
        for _ in range(dice.choice([0, 1, 1, 2, 4])):
            fields = {"v": 1, "t_ms": BASE + dice.randrange(min(span, 50)), "name": "session_started", "type": "meta", "session": session}
            lines.append(line(dice, fields, props(dice, ["x", "y"])))
    for one in anonymous[: dice.randint(0, 3)]:
        fields = {"v": 1, "t_ms": BASE + dice.randrange(span), "name": "identified", "type": "meta", "user": dice.choice(users)}
        lines.append(line(dice, fields, json.dumps({"anonymous": one})))
    if dice.random() < 0.2:
        lines.append(line(dice, {"v": 1, "t_ms": BASE + 400 * DAY, "name": "a", "user": "late"}, "{}"))
    if dice.random() < 0.35:
        # Makes the data end at the last millisecond of a day.
        lines.append(line(dice, {"v": 1, "t_ms": BASE + (span // DAY + 1) * DAY - 1, "name": "a", "user": dice.choice(users)}, "{}"))
    dice.shuffle(lines)
    return lines, {"names": names, "span": span, "keys": keys, "aimed": aimed}


def visits(dice):
    """A set with differences to claim: weeks of visits, values with and without an effect, a release, a fall, and a day without events."""
    days, users, lines = dice.choice([9, 16, 28]), dice.choice([30, 60, 150]), []
    effect, fall = {value: dice.choice([0, 0, -0.3, 0.2]) for value in "uvw"}, dice.choice([0, 0, 0.3])
    change, release, hole = dice.randrange(days), dice.randrange(days), dice.choice([-1, dice.randrange(days)])
    own = {user: dice.choice("uvw") for user in range(users)}
    # Every other day converts far more, and has most visits with `u`, which convert less. So `u` is high in total and low on each day.
    mixed = dice.random() < 0.25
    for number in range(dice.choice([300, 900, 1800])):
        day, user, session = dice.randrange(days), dice.randrange(users), f"v{number}"
        if day == hole:
            continue
        time = BASE + day * DAY + dice.randrange(DAY)
        value = own[user] if dice.random() < 0.8 else dice.choice("uvw")
        new = "2" if day + dice.random() > release else "1"
        share = 0.5 + effect[value] - (fall if day >= change else 0) - (0.2 if new == "2" and effect["u"] else 0)
        if mixed:
            value = "u" if dice.random() < (0.8 if day % 2 else 0.2) else "v"
            share = (0.75 if day % 2 else 0.25) - (0.15 if value == "u" else 0)
        head = {"v": 1, "user": f"u{user}", "session": session}
        p = {"p": value, "q": dice.choice([1, 2, 10])} if dice.random() < 0.99 else {}
        lines.append(line(dice, {**head, "t_ms": time, "name": "session_started", "type": "meta"}, json.dumps({"x": new, "y": value})))
        lines.append(line(dice, {**head, "t_ms": time, "name": "a", "id": session}, json.dumps(p)))
        if dice.random() < 0.03:
            lines.append(line(dice, {**head, "t_ms": time + dice.randrange(DAY), "name": "a", "id": session}, json.dumps(p)))
        if dice.random() < 0.3:
            lines.append(line(dice, {**head, "t_ms": time + dice.randrange(1, 3_600_000), "name": "a"}, json.dumps(p)))
        if dice.random() < share:
            lines.append(line(dice, {**head, "t_ms": time + dice.randrange(3_600_000), "name": "b"}, json.dumps({**p, "deep": {"k": 1}})))
        if dice.random() < share:
            lines.append(line(dice, {**head, "t_ms": time + dice.randrange(5_600_000), "name": "c"}, "{}"))
        if dice.random() < 0.05:
            # Events without a session, about as far apart as two visits.
            for later in (0, 1_800_000, 1_800_000 + dice.choice([1_799_999, 1_800_000])):
                lines.append(line(dice, {"v": 1, "user": f"u{user}", "t_ms": time + later, "name": "a"}, json.dumps(p)))
    dice.shuffle(lines)
    return lines, {"names": ["a", "b", "c"], "span": days * DAY, "keys": ["p", "q"], "aimed": True, "steps": [1, 2, 2, 2, 3]}


def settings(dice):
    """The flags of a page and of all its questions, and the flags of marks for trends."""
    own = dice.choice([[], [], [], ["--tz", "Asia/Kolkata"], ["--tz", "America/New_York"], ["--no-identify"]])
    return own, ["--mark", f"2026-01-{dice.randint(2, 20):02}=2.{dice.randint(0, 9)}"] if dice.random() < 0.3 else []


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def name(dice, known):
    one = dice.choice(known["names"]) if known["aimed"] or dice.random() < 0.95 else "nothing"
    return one if one in NAMES else quoted(one)


def test(dice, known):
    path = dice.choice(known["keys"] + ["deep.k", "deep.l.m", "session.x", "session.y", '"session".x', "absent", "deep"])
    if path == "session":
        path = '"session"'
    wanted = dice.choice(NUMBERS + TEXTS + ["1e400", "9007199254740992", "9007199254740993", "10.00", "5"])
    if dice.random() < 0.25:
        path, wanted = dice.choice(known["keys"][:1] + ["session.x"]), dice.choice(SUBTLE)
    wanted = quoted(wanted) if isinstance(wanted, str) else json.dumps(wanted)
    return path + dice.choice(["=", "!=", "<", "<=", ">", ">=", "~", "!="]) + wanted


def pattern(dice, known):
    kind = dice.random()
    head = "*" if kind < 0.08 else f"({name(dice, known)} | {name(dice, known)})" if kind < 0.25 else name(dice, known)
    tests = [test(dice, known) for _ in range(dice.choice([0, 0, 0, 0, 0, 1] if known["aimed"] else [0, 0, 0, 1, 1, 2]))]
    return head + ("[" + ",".join(tests) + "]" if tests else "")


def duration(dice, span):
    return f"{dice.choice([0, 1, 2, 3, 8, max(span // 10, 1), span // 2 + 1, span, span * 2])}ms"


def moment(dice, span):
    time = BASE + dice.randrange(-span // 5, span + 1)
    day, rest = divmod(time, DAY)
    if dice.random() < 0.3:
        rest = 0
    import datetime

    date = datetime.date(1970, 1, 1) + datetime.timedelta(days=day)
    if rest == 0:
        return f"{date}"
    hours, rest = divmod(rest, 3_600_000)
    minutes, rest = divmod(rest, 60_000)
    return f"{date}T{hours:02}:{minutes:02}:{rest // 1000:02}.{rest % 1000:03}Z"


def times(dice, span):
    asked = []
    if dice.random() < 0.25:
        asked.append(("since", moment(dice, span)))
    if dice.random() < 0.25:
        asked.append(("until", moment(dice, span)))
    if len(asked) == 2 and asked[0][1] >= asked[1][1][:len(asked[0][1])]:
        asked.pop()
    return asked


def breakdown(dice, known, steps, kinds):
    path = dice.choice(["props.p", "p", "session.x", "session.y", "props.deep.k", "props.absent"])
    kind = dice.choice(kinds).replace("N", str(dice.randint(1, steps)))
    asked = [("breakdown", path + kind)]
    return asked + ([("top", str(dice.randint(1, 4)))] if dice.random() < 0.4 else [])


def question(dice, known):
    """The name of a command, and pairs of its flags and values. A value of True means a flag without a value."""
    weights = [60, 40, 0, 0, 0] if "steps" in known else [60, 12, 10, 10, 8]
    view = dice.choices(["funnel", "trend", "retention", "paths", "users"], weights)[0]
    span, asked = known["span"], []
    if dice.random() < 0.3:
        asked.append(("by", "session"))
    if "steps" in known and dice.random() < 0.75:
        asked += [("steps", dice.choice(["a > b", "a > b > c", "a > c?  > b"])), ("window", dice.choice(["1h", "1d", "7d"]))]
        if view == "trend":
            return view, asked + ([("include-open", True)] if dice.random() < 0.3 else [])
        return view, asked + [("breakdown", dice.choice(["p", "session.x", "session.y"])), *([("top", "1")] if dice.random() < 0.1 else [])]
    if view == "funnel" and known["aimed"] and dice.random() < 0.4:
        # Steps without tests, within few milliseconds, so that attempts with the same start, window and time compete for events.
        strict = dice.random() < 0.3
        steps = [dice.choice(known["names"]) + ("?" if number and dice.random() < 0.15 else "") for number in range(dice.choice([2, 3, 3, 4, 5]))]
        if dice.random() < 0.3:
            return view, asked + [("steps", " > ".join(steps).replace("?", "")), ("window", f"{dice.randint(1, 8)}ms")]
        asked += [("steps", " > ".join(steps)), ("window", duration(dice, known["span"]))] + ([("order", "strict")] if strict else [])
        for _ in range(dice.choice([0, 0, 0, 1, 1, 2])):
            low = dice.randint(1, len(steps) - 1)
            bounds = f"@{low}-{dice.randint(low + 1, len(steps))}" if dice.random() < 0.4 else ""
            asked.append(("exclude", dice.choice(["", "!", "!"]) + dice.choice(known["names"]) + bounds))
        return view, asked + ([("step-window", duration(dice, known["span"]))] if not strict and dice.random() < 0.2 else [])
    if view == "retention":
        asked += [("start", pattern(dice, known)), ("return", pattern(dice, known)), ("every", dice.choice(["day", "week", "month"]))]
        asked.append(("periods", str(dice.randint(0, 8))))
        if dice.random() < 0.3:
            asked += breakdown(dice, known, 1, ["", ":first", ":last", ":step=1"])
        return view, asked + times(dice, span)
    if view == "paths":
        asked.append((dice.choice(["from", "to"]), dice.choice(known["names"])))
        asked += [("window", duration(dice, span)), ("depth", str(dice.randint(1, 5)))]
        for key, choices in (("count", ["attempts"]), ("top", ["1", "2"]), ("min-share", ["0%", "10%"]), ("merge-repeats", [True])):
            if dice.random() < 0.3:
                asked.append((key, dice.choice(choices)))
        return view, asked + times(dice, span)
    order = dice.choices(["ordered", "strict", "any"], [60, 20, 20])[0]
    steps = [pattern(dice, known) for _ in range(dice.choice(known.get("steps") or [1, 2, 2, 3, 3, 4, 6, 30 if dice.random() < 0.05 else 5]))]
    text = steps[0] + "".join(" > " + step + ("?" if order != "any" and dice.random() < 0.2 else "") for step in steps[1:])
    asked += [("steps", text), ("window", duration(dice, span))]
    if order != "ordered":
        asked.append(("order", order))
    elif dice.random() < 0.2:
        asked.append(("step-window", duration(dice, span)))
    for _ in range(dice.choice([0, 0, 1, 1, 2] if known["aimed"] else [0, 0, 0, 1, 1, 2])):
        bounds = ""
        if order != "any" and len(steps) > 1 and dice.random() < 0.4:
            low = dice.randint(1, len(steps) - 1)
            bounds = f"@{low}-{dice.randint(low + 1, len(steps))}"
        asked.append(("exclude", dice.choice(["", "!"]) + pattern(dice, known) + bounds))
    asked += times(dice, span) if "steps" not in known or dice.random() < 0.3 else []
    if view in ("funnel", "trend", "users") and order != "any" and dice.random() < 0.2:
        asked.append(("count", dice.choice(["users", "visits"])))
    if view == "trend":
        asked.append(("every", "day" if "steps" in known and dice.random() < 0.8 else dice.choice(["day", "week", "month", "hour"] if span <= 3 * DAY else ["day", "week", "month"])))
        if dice.random() < 0.3:
            asked.append(("include-open", True))
    elif dice.random() < 0.2:
        asked.append(("mature", True))
    if view == "users":
        step = dice.randint(1, len(steps))
        asked.append(("step", str(step)))
        if step > 1 and dice.random() < 0.5:
            asked.append(("dropped", True))
    elif dice.random() < (0.9 if "steps" in known else 0.35):
        asked += breakdown(dice, known, len(steps), ["", ":first", ":last", ":all", ":step=N"])
    return view, asked


# Questions that neither the page nor the command counts. The command calls each a usage error, so the page must call it `wrong`.
WRONG = [
    [("steps", text)] for text in (
        "", "a >", "a > > b", "(a | b", "(a | *)", "a[p", "a[p=", "a[p=1", "a[p==1]", "a[props.p=1]", 'a[p=1"x"]', '"a', '"a\\b"', "a? > b", "a > b? c", "a]",
        "a > “b”", "a\u0001", " > ".join(["a"] * 33))
] + [
    [("steps", "a > b"), *more] for more in (
        [("exclude", "!")], [("exclude", "x y]")], [("exclude", "x@")], [("exclude", "x@0-1")], [("exclude", "x@1")], [("exclude", "x@2-1")],
        [("exclude", "x@1-2 y")], [("exclude", "x@1-3")], [("window", "1")], [("window", "1y")], [("window", "1m1h")],
        [("order", "random")], [("mature", True), ("include-open", True)], [("top", "3")], [("breakdown", "p:middle")], [("breakdown", "p]")],
        [("breakdown", "p:step=3")], [("breakdown", "p"), ("top", "0")], [("since", "yesterday")], [("since", "2026-02-30")],
        [("since", "2026-13-01")], [("until", "2026-00-05")],
        [("since", "2026-01-03"), ("until", "2026-01-02")], [("order", "any"), ("step-window", "1h")], [("order", "any"), ("exclude", "x@1-2")],
        [("order", "any"), ("count", "visits")])
] + [[("steps", "a > b?"), ("order", "any")]]
