"""Writes event files that are harder than the demo's: many events in one millisecond, repeated names, people who were anonymous,
lines twice, lines without an id, a user or a session, lost and dropped lines, lines of a later version.
"""

import datetime
import gzip
import json
import os

NAMES = ["a", "b", "c", "it's", 'zwei "Wörter"', "back\\slash"]
START = "2026-01-05"
USERS = 60


def milliseconds(text):
    time = datetime.datetime.fromisoformat(text).replace(tzinfo=datetime.timezone.utc)
    return (time - datetime.datetime.fromtimestamp(0, datetime.timezone.utc)) // datetime.timedelta(milliseconds=1)


def write(folder, dice):
    """Writes two files that share some lines."""
    os.makedirs(folder)
    lines = [line for user in range(USERS) for line in person(dice, user)]
    dice.shuffle(lines)
    middle = len(lines) // 2
    for number, part in enumerate([lines[: middle + 40], lines[middle:]]):
        # Readers recognise a repeated line by its id. So of the shared lines, those without an id are left out of the second file.
        again = [line for place, line in enumerate(part) if number == 0 or place >= 40 or may_come_again(line)]
        with gzip.open(os.path.join(folder, f"hard-0000000{number}-000000000{number}.ndjson.gz"), "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(line, ensure_ascii=bool(dice.getrandbits(1)), separators=(",", ":")) + "\n" for line in again)


def may_come_again(line):
    return "id" in line and "type" not in line and line.get("v") != 2


def person(dice, number):
    """The lines of one person. If the person was anonymous first, `identified` lines say so, which may come late."""
    start, user, anonymous = milliseconds(START), f"hard{number}", f"a-hard{number}"
    span, count = dice.choice([1, 3, 10, 100]), dice.choice([1, 2, 5, 20, 60])
    session, seq, found = f"hs{number}", 0, []
    was_anonymous = dice.random() < 0.4

    def line(t_ms, name, props, **more):
        nonlocal seq
        seq += 1
        # Some lines are lost.
        if dice.random() < 0.97:
            one = {"v": 1, "t_ms": t_ms, "name": name, "user": user, "session": session, "seq": seq, "id": f"{session}-{seq}", **more}
            found.append({key: value for key, value in one.items() if value is not None} | {"props": props})

    line(start, "session_started", {"app": "Hard", "sample_rate": 1.0}, type="meta")
    for _ in range(count):
        props = {}
        if dice.random() < 0.7:
            props = {"plan": dice.choice(["free", "pro", "gröss'te", "", None, True, 7, {"no": "scalar"}]), "deep": {"er": dice.choice(["x", "y"])}}
        more = {"user": anonymous} if was_anonymous and dice.random() < 0.5 else {}
        rare = dice.random()
        if rare < 0.02:
            more = {"user": None}
        elif rare < 0.04:
            more = {"id": None}
        elif rare < 0.05:
            more = {"v": None, "session": None, "seq": None}
        elif rare < 0.06:
            more = {"v": 2}
        elif rare < 0.09:
            # Other writers may write this type; the format's own writers leave it out.
            more = {"type": "track"}
        line(start + dice.randrange(span), dice.choice(NAMES), props, **more)
    if was_anonymous:
        # The earliest line wins, and of lines at the same time that of the user who sorts first. Their order in the file does not matter.
        for late, other in dice.sample([(5, user), (5, user + "x"), (7, "nobody")], 3):
            line(start + late, "identified", {"anonymous": anonymous}, user=other, type="meta")
    line(start + span, "a", {"phase": "reduce"}, type="timing")
    if seq > 10:
        lost = dice.randint(1, 3)
        line(start + span, "dropped", {"count": lost, "reasons": {"overflow": lost}, "sessions": {session: lost}}, type="meta",
             user=None, session=None, seq=None)
    return found
