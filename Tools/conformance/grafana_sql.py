"""Expands a board's query as Grafana and its ClickHouse source do before a server sees it.

First Grafana puts in the board's variables, then the source expands its macros. Both are written down here as their
documentation and their own tests say. A variable or macro that is unknown here is an error: no query is run half expanded.
"""

import re

VARIABLE = re.compile(r"\$(\w+)|\$\{(\w+)(?::(\w+))?\}")
MACRO = re.compile(r"\$__(\w+)")


class Moment:
    """The time range of the time picker, in milliseconds since 1970 UTC, and the interval that the panel's width gives."""

    def __init__(self, from_ms, to_ms, interval_ms):
        self.from_ms, self.to_ms, self.interval_ms = from_ms, to_ms, interval_ms

    @property
    def interval_seconds(self):
        return max(self.interval_ms // 1000, 1)


def formatted(value, how):
    """One value of a variable, in one of Grafana's formats."""
    if how == "sqlstring":
        return "'" + value.replace("'", "''") + "'"
    if how in (None, "raw"):
        return value
    raise ValueError(f"the format `{how}` is not known here")


def with_variables(query, variables):
    """Does Grafana's part. A `$name` that is no variable stays, because macros look the same."""

    def replace(match):
        name = match[1] or match[2]
        if name not in variables:
            if match[2]:
                raise ValueError(f"the board has no variable `{name}`")
            return match[0]
        return formatted(variables[name], match[3])

    return VARIABLE.sub(replace, query)


def _seconds(ms):
    return f"toDateTime({ms // 1000})"


def _milliseconds(ms):
    return f"fromUnixTimestamp64Milli({ms})"


# Macros by name: the number of arguments, and the expansion.
MACROS = {
    "fromTime": (0, lambda at: _seconds(at.from_ms)),
    "toTime": (0, lambda at: _seconds(at.to_ms)),
    "fromTime_ms": (0, lambda at: _milliseconds(at.from_ms)),
    "toTime_ms": (0, lambda at: _milliseconds(at.to_ms)),
    "timeFilter": (1, lambda at, column: f"{column} >= {_seconds(at.from_ms)} AND {column} <= {_seconds(at.to_ms)}"),
    "timeFilter_ms": (1, lambda at, column: f"{column} >= {_milliseconds(at.from_ms)} AND {column} <= {_milliseconds(at.to_ms)}"),
    "timeInterval": (1, lambda at, column: f"toStartOfInterval(toDateTime({column}), INTERVAL {at.interval_seconds} second)"),
    "timeInterval_ms": (
        1, lambda at, column: f"toStartOfInterval(toDateTime64({column}, 3), INTERVAL {max(at.interval_ms, 1)} millisecond)"),
    "interval_s": (0, lambda at: str(at.interval_seconds)),
}


def with_macros(query, at):
    """Does the part of the ClickHouse source."""
    done, place = [], 0
    while match := MACRO.search(query, place):
        if match[1] not in MACROS:
            raise ValueError(f"the macro `{match[0]}` is not known here")
        count, expand = MACROS[match[1]]
        arguments, end = ([], match.end()) if count == 0 else _arguments(query, match)
        if len(arguments) != count:
            raise ValueError(f"{match[0]} takes {count} arguments, not {arguments}")
        done += [query[place : match.start()], expand(at, *arguments)]
        place = end
    return "".join(done) + query[place:]


def _arguments(query, match):
    """The arguments of a macro, split at commas outside inner brackets, and the position after its closing bracket."""
    if query[match.end() : match.end() + 1] != "(":
        raise ValueError(f"{match[0]} has no arguments")
    depth, start, found = 1, match.end() + 1, []
    for place in range(start, len(query)):
        depth += {"(": 1, ")": -1}.get(query[place], 0)
        if depth == 0 or depth == 1 and query[place] == ",":
            found.append(query[start:place].strip())
            start = place + 1
        if depth == 0:
            return found, place + 1
    raise ValueError(f"the bracket behind {match[0]} is not closed")


def expanded(query, variables, at):
    return with_macros(with_variables(query, variables), at)


def interval_of(panel, at, points=300):
    """The interval that Grafana gives a panel: the time range divided by the points, rounded up, and at least the panel's minimum."""
    nice = [1, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10800, 21600, 43200, 86400, 604800]
    wanted = max((at.to_ms - at.from_ms) / 1000 / points, seconds_of(panel.get("interval", "1s")))
    return next((one for one in nice if one >= wanted), nice[-1]) * 1000


def seconds_of(text):
    match = re.fullmatch(r"(\d+)([smhd])", text)
    if not match:
        raise ValueError(f"`{text}` is no interval")
    return int(match[1]) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[match[2]]


def check(checks):
    """Checks the expansions that the source's own documentation and tests show."""
    at = Moment(1415792726371, 1447328726371, 20_000)
    for query, wanted in [
        ("$__fromTime", "toDateTime(1415792726)"),
        ("f($__fromTime_ms)", "f(fromUnixTimestamp64Milli(1415792726371))"),
        ("$__toTime_ms + 1", "fromUnixTimestamp64Milli(1447328726371) + 1"),
        ("$__timeFilter(col)", "col >= toDateTime(1415792726) AND col <= toDateTime(1447328726)"),
        ("$__timeFilter_ms(a.b)", "a.b >= fromUnixTimestamp64Milli(1415792726371) AND a.b <= fromUnixTimestamp64Milli(1447328726371)"),
        ("$__timeInterval(f(x, y)", None),
        ("$__timeInterval(f(x))", "toStartOfInterval(toDateTime(f(x)), INTERVAL 20 second)"),
        ("$__timeInterval_ms(t)", "toStartOfInterval(toDateTime64(t, 3), INTERVAL 20000 millisecond)"),
        ("60 / $__interval_s", "60 / 20"),
        ("$__timeFilter(a, b)", None),
        ("$__nonesuch(a)", None),
        ("${steps:sqlstring} $window ${window}", "'it''s > b' 60 60"),
        ("${nonesuch}", None),
        ("${steps:csv}", None),
    ]:
        try:
            got = expanded(query, {"steps": "it's > b", "window": "60"}, at)
        except ValueError:
            got = None
        checks.equal(f"the expansion of `{query}`", got, wanted)
