#!/usr/bin/env python3
"""Compares intervals, differences, tests and odds ratios with scipy and statsmodels, on random tables and on edge cases.

The package's own functions compute the numbers, in the process of a test (`StatisticsProcess`). Build the tests first."""

import argparse
import math
import random
import warnings

import numpy
from scipy.stats import false_discovery_control, fisher_exact, hypergeom
from statsmodels.stats.contingency_tables import Table2x2
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import confint_proportions_2indep, proportion_confint, proportions_ztest

from harness import Checks, test_answers

NAMES = ["lower", "upper", "difference", "difference's lower", "difference's upper", "p", "odds ratio", "odds ratio's lower",
         "odds ratio's upper"]
TOLERANCES = [1e-9, 1e-9, 1e-9, 1e-8, 1e-8, 1e-9, 1e-9, 1e-9, 1e-9]


def some_tables(count: int, seed: int) -> list[tuple[int, int, int, int]]:
    """Tables (a of n, b of m) of all magnitudes and shares. Some are edge cases: empty sides, none, one, all, and cells around five."""
    chance = random.Random(seed)
    tables = [(0, 1, 0, 1), (1, 1, 0, 1), (0, 10, 0, 20), (10, 10, 20, 20), (10, 10, 0, 20), (0, 0, 3, 7), (3, 7, 0, 0), (0, 0, 0, 0),
              (5, 10, 5, 10), (4, 10, 6, 10), (4, 10, 5, 10), (1, 10_000_000, 9, 10_000_000), (4_999_000, 10_000_000, 5, 12),
              (3, 5, 300_000, 1_000_000), (9_999_999, 10_000_000, 10_000_000, 10_000_000)]
    while len(tables) < count:
        n, m = (round(10 ** chance.uniform(0, chance.choice([1, 2, 4, 6]))) for _ in range(2))
        if chance.random() < 0.2:
            m = n
        rate = chance.choice([0.0, 1.0, chance.random(), chance.random() ** 4, 1 - chance.random() ** 6])
        other = chance.choice([0.0, 1.0, rate, rate, chance.random(), min(1.0, max(0.0, rate + chance.gauss(0, 0.05)))])
        tables.append((sum(chance.random() < rate for _ in range(n)) if n < 1000 else round(n * rate), n,
                       sum(chance.random() < other for _ in range(m)) if m < 1000 else round(m * other), m))
    return tables[:count]


def exact(a: int, n: int, b: int, m: int) -> float:
    """Fisher's p-value: the probability of all tables that are no more likely, within a tolerance. scipy misses some that are as likely."""
    ways = hypergeom.pmf(numpy.arange(max(0, a + b - m), min(n, a + b) + 1), n + m, a + b, n)
    return min(1.0, float(ways[ways <= hypergeom.pmf(a, n + m, a + b, n) * (1 + 1e-7)].sum()))


def wanted(a: int, n: int, b: int, m: int, ties: list[float]) -> list[float | None]:
    interval = proportion_confint(a, n, method="wilson") if n else (None, None)
    cells = numpy.array([[a, n - a], [b, m - b]], dtype=float)
    ratio = Table2x2(cells + 0.5 if (cells == 0).any() else cells)
    odds = [ratio.oddsratio, *ratio.oddsratio_confint()]
    if not n or not m:
        return [*interval, None, None, None, None, *odds]
    difference = confint_proportions_2indep(a, n, b, m, method="newcomb", compare="diff")
    # Compares whole numbers, because an expected cell of exactly five is large enough for the z-test.
    if min(n, m) * min(a + b, n + m - a - b) < 5 * (n + m):
        p = exact(a, n, b, m)
        others = float(fisher_exact([[a, n - a], [b, m - b]])[1])
        if abs(others - p) > 1e-9:
            ties.append(p)
    else:
        p = proportions_ztest([a, b], [n, m])[1]
    return [*interval, a / n - b / m, *difference, p, *odds]


def equal(got: float | None, want: float | None, tolerance: float) -> bool:
    if got is None or want is None:
        return got is want
    return math.isclose(got, want, rel_tol=tolerance, abs_tol=tolerance)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tables", type=int, default=1000, help="how many")
    parser.add_argument("--seed", type=int, default=13, help="of the random choices, 13 if left out")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    checks = Checks()
    tables = some_tables(options.tables // 10 * 10, options.seed)
    got = test_answers("StatisticsProcess", "LOOPTRAIL_STATISTICS", [f"{a} {n} {b} {m}" for a, n, b, m in tables])
    checks.equal("answers", len(got), len(tables) // 10 * 11)
    ties: list[float] = []
    largest = dict.fromkeys(NAMES, 0.0)
    asked: list[float] = []
    lines = iter(got)
    for place, table in enumerate(tables):
        answer, want = next(lines), wanted(*table, ties)
        asked += [] if want[5] is None else [want[5]]
        for name, mine, theirs, tolerance in zip(NAMES, answer, want, TOLERANCES, strict=True):
            checks.that(f"{name} of {table}", equal(mine, theirs, tolerance), f"got {mine}, wanted {theirs}")
            if mine is not None and theirs is not None:
                largest[name] = max(largest[name], abs(mine - theirs) / max(1, abs(theirs)))
        if place % 10 == 9:
            q_values = [q for q in next(lines) if q is not None]
            for others in (multipletests(asked, method="fdr_bh")[1], false_discovery_control(asked)):
                same = len(q_values) == len(others) and all(equal(a, b, 1e-9) for a, b in zip(q_values, others))
                checks.that(f"q-values of tables {place - 9} to {place}", same, f"got {q_values}, wanted {others}")
            asked = []
    print("largest difference: " + ", ".join(f"{name} {value:.1e}" for name, value in largest.items()))
    print(f"{len(ties)} exact tests that scipy's fisher_exact answers without equally likely tables")
    checks.close()


if __name__ == "__main__":
    main()
