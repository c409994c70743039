#!/usr/bin/env python3
"""Compares differences between visits, differences at forks, and steps of a trend with statsmodels and scipy, on random tables.

The package's own functions compute the numbers, in the process of a test (`ClaimsProcess`). Build the tests first."""

import argparse
import random
import warnings

import numpy
import statsmodels.api as sm
from scipy.stats import t as student

from harness import Checks, test_answers
from statistics_tables import equal

NAMES = ["difference", "standard error", "p", "lower", "upper", "detectable"]
TOLERANCE = 1e-8


def some_rows(chance: random.Random) -> list[tuple[int, int, int, int, int]]:
    """Rows (user, stratum, side, visits, conversions). Users differ, and come on several days and on one side or both."""
    users, strata = chance.randint(2, 30), chance.randint(1, 8)
    rate = [chance.random() for _ in range(users)]
    rows = []
    for _ in range(chance.randint(4, 120)):
        user, visits = chance.randrange(users), chance.randint(1, 6)
        rows.append((user, chance.randrange(strata), int(chance.random() < 0.4), visits,
                     sum(chance.random() < rate[user] for _ in range(visits))))
    return rows


def some_days(chance: random.Random) -> list[tuple[int, int, int]]:
    rate, days = chance.uniform(0.02, 0.9), []
    for day in range(chance.randint(12, 60)):
        visits = chance.randint(1, 800)
        days.append((visits, sum(chance.random() < rate for _ in range(visits)), day % 7))
    return days


def dummies(values: numpy.ndarray) -> numpy.ndarray:
    return (values[:, None] == numpy.unique(values)[None, :]).astype(float)


def wanted(rows: list[tuple[int, int, int, int, int]], holds_users: bool) -> list[float] | None:
    """Least squares over visits on the side, with an indicator for each stratum, with users as clusters and without a correction."""
    visits = [(user, stratum, side, int(number < converted)) for user, stratum, side, count, converted in rows for number in range(count)]
    user, stratum, side, outcome = (numpy.array(column) for column in zip(*visits))
    columns = [dummies(stratum)] + ([dummies(user)] if holds_users else [])
    others = numpy.hstack(columns)
    if holds_users:
        return wanted_in_turn(user, stratum, side, outcome)
    left = side - others @ numpy.linalg.lstsq(others, side, rcond=None)[0]
    if len(set(side.tolist())) < 2 or (left ** 2).sum() < 1e-6:
        return None
    fit = sm.OLS(outcome, numpy.column_stack([side, others])).fit(
        cov_type="cluster", cov_kwds={"groups": user, "use_correction": False})
    # Where no user differs, rounding may make the variance negative.
    return judged(float(fit.params[0]), max(float(fit.cov_params()[0, 0]), 0.0) ** 0.5, user, left * fit.resid)


def judged(value: float, error: float, user: numpy.ndarray, scores: numpy.ndarray) -> list[float]:
    """Value, error, p-value and 95 % interval by Student's t, and the difference that is found 8 times in 10 if it is one of seven.
    The users' sums of scores determine the degrees of freedom: with less than one, or beyond 1, no size is named."""
    sums = numpy.array([scores[user == one].sum() for one in set(user.tolist())])
    fourths = float((sums ** 4).sum())
    degrees = max(float((sums ** 2).sum()) ** 2 / fourths - 1, 1e-9) if fourths > 0 else 1.0
    reach = float(student.ppf(0.975, degrees)) * error
    p = 1.0 if value == 0 else float(2 * student.sf(abs(value / error), degrees)) if error > 0 else 0.0
    detectable = (float(student.isf(0.05 / 7 / 2, degrees)) + 0.84) * error
    is_known = degrees > 1 - 1e-9 and abs(value) < 1 + 1e-9
    return [value, error, p, max(value - reach, -1.0), min(value + reach, 1.0), detectable if is_known else 0.0]


def wanted_in_turn(user: numpy.ndarray, stratum: numpy.ndarray, side: numpy.ndarray, outcome: numpy.ndarray) -> list[float] | None:
    """`wanted` with two kinds of strata: `stratum` and `user`. By definition, values are centred by each in turn until nothing changes.
    Where the two hardly overlap, least squares give another number; where no user has both sides, there is none."""
    if all(len(set(side[user == one].tolist())) == 1 for one in user):
        return None
    centred = []
    for values in (side.astype(float), outcome.astype(float)):
        for _ in range(200):
            change = 0.0
            for of in (stratum, user):
                means = numpy.array([values[of == one].mean() for one in of])
                values, change = values - means, max(change, float(abs(means).max()))
            if change < 1e-9:
                break
        centred.append(values)
    x, y = centred
    square = float((x ** 2).sum())
    if square <= 1e-6:
        return None
    value = float((x * y).sum() / square)
    scores = x * (y - value * x)
    error = float(numpy.sqrt(sum(scores[user == one].sum() ** 2 for one in set(user.tolist()))) / square)
    return judged(value, error, user, scores)


def wanted_steps(days: list[tuple[int, int, int]]) -> list[float]:
    visits, converted, weekday = (numpy.array(column, dtype=float) for column in zip(*days))
    share = (converted + 0.5) / (visits + 1)
    weights, logit = visits * share * (1 - share), numpy.log(share / (1 - share))
    answer = []
    for day in range(2, len(days) - 1):
        after = (numpy.arange(len(days)) >= day).astype(float)
        fit = sm.WLS(logit, numpy.column_stack([after, dummies(weekday)]), weights=weights).fit()
        error = float(fit.bse[0] / numpy.sqrt(fit.scale) * numpy.sqrt(max(1.0, fit.scale)))
        answer += [float(fit.params[0]), error, float(2 * student.sf(abs(fit.params[0] / error), fit.df_resid))]
    return answer


def some_forks(chance: random.Random) -> list[tuple[int, int, int, int, int]]:
    """Forks (user, day, events before, outcome, has). Users differ, and come to forks on several days, after some other events."""
    users, days = chance.randint(8, 60), chance.randint(1, 10)
    rate = [chance.random() for _ in range(users)]
    forks = []
    for _ in range(chance.randint(40, 400)):
        user, before = chance.randrange(users), int(chance.expovariate(0.15))
        has = int(chance.random() < min(0.9, 0.1 + before / 20))
        forks.append((user, chance.randrange(days), before, int(chance.random() < min(0.95, rate[user] * 0.6 + before / 60)), has))
    return forks


def bin_of(before: int) -> int:
    """The bin of a number of events. Up to 8, each number has its own. Then each bin's upper bound is a quarter above the bound before."""
    edges = [8]
    while edges[-1] < before:
        edges.append(edges[-1] * 5 // 4)
    return before if before <= 8 else 7 + len(edges)


def wanted_forks(forks: list[tuple[int, int, int, int, int]]) -> list[float] | None:
    """Least squares of the outcome on `has`, with indicators of day and bin. Users are clusters; the error is at least the plain one."""
    user, day, before, outcome, has = (numpy.array(column) for column in zip(*forks))
    bins = numpy.array([bin_of(one) for one in before])
    others = numpy.hstack([dummies(day), dummies(bins)])
    x, y = (column - others @ numpy.linalg.lstsq(others, column.astype(float), rcond=None)[0] for column in (has, outcome))
    square, rank = float((x ** 2).sum()), others.shape[1] - 1
    if square <= 1e-6:
        return None
    value = float((x * y).sum() / square)
    scores = x * (y - value * x)
    sums = numpy.array([scores[user == one].sum() for one in set(user.tolist())])
    squares, plain = float((sums ** 2).sum()), float((y ** 2).sum()) / max(len(forks) - rank, 1) / square
    error, degrees = max(squares ** 0.5 / square, plain ** 0.5), max(squares ** 2 / float((sums ** 4).sum()) - 1, 1e-9)
    return [value, error, degrees, float(2 * student.sf(abs(value / error), degrees))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=300, help="how many")
    parser.add_argument("--seed", type=int, default=17, help="of the random choices, 17 if left out")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    chance, checks = random.Random(options.seed), Checks()
    tables = [some_rows(chance) for _ in range(options.tables)]
    trends = [some_days(chance) for _ in range(options.tables // 10)]
    lines = [("u" if place % 2 else "s") + ";".join(" ".join(map(str, row)) for row in rows) for place, rows in enumerate(tables)]
    sets = [some_forks(chance) for _ in range(options.tables // 3)]
    lines += ["d" + ";".join(" ".join(map(str, day)) for day in days) for days in trends]
    lines += ["w" + ";".join(" ".join(map(str, fork)) for fork in forks) for forks in sets]
    got = test_answers("ClaimsProcess", "LOOPTRAIL_CLAIM", lines)
    checks.equal("answers", len(got), len(lines))
    largest = dict.fromkeys(NAMES + ["step", "fork"], 0.0)
    for place, rows in enumerate(tables):
        want = wanted(rows, place % 2 == 1)
        if want is None or got[place] == [None]:
            checks.that(f"table {place}", want is None and got[place] == [None], f"got {got[place]}, wanted {want}")
            continue
        if want[1] < 1e-9:
            # Without spread there is no p-value: the standard error is a rounding error.
            continue
        for name, mine, theirs in zip(NAMES, got[place], want, strict=True):
            checks.that(f"{name} of table {place}", equal(mine, theirs, TOLERANCE), f"got {mine}, wanted {theirs}")
            largest[name] = max(largest[name], abs(mine - theirs) / max(1, abs(theirs)))
    for place, days in enumerate(trends):
        want = wanted_steps(days)
        mine = got[options.tables + place]
        checks.equal(f"steps of trend {place}", len(mine), len(want))
        for one, other in zip(mine, want):
            checks.that(f"a step of trend {place}", equal(one, other, TOLERANCE), f"got {one}, wanted {other}")
            largest["step"] = max(largest["step"], abs(one - other) / max(1, abs(other)))
    for forks, mine in zip(sets, got[options.tables + len(trends):], strict=True):
        want = wanted_forks(forks)
        if want is None or mine == [None]:
            checks.that("a fork", want is None and mine == [None], f"got {mine}, wanted {want}")
            continue
        for one, other in zip(mine, want, strict=True):
            checks.that("a number of forks", equal(one, other, TOLERANCE), f"got {mine}, wanted {want}")
            largest["fork"] = max(largest["fork"], abs(one - other) / max(1, abs(other)))
    print("largest difference: " + ", ".join(f"{name} {value:.1e}" for name, value in largest.items()))
    checks.close()


if __name__ == "__main__":
    main()
