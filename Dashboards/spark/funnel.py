#!/usr/bin/env python3
"""A funnel over Looptrail's files as they lie, in Spark 3.5: nothing is loaded, and a file is the unit of parallelism.

    spark-submit funnel.py 's3a://bucket/events/' --steps 'product_viewed > cart_added > payment_succeeded' --window 1h
    python3 funnel.py looptrail-demo/events --steps 'product_viewed > cart_added' --window 30m --since 2026-01-05 --format json

Counts as `looptrail funnel` does. Steps are names: tests, groups and optional steps are the command's. A name may occur twice.
"""

import argparse
import datetime
import json
import re

from pyspark.sql import DataFrame, SparkSession

LINE = "v INT, t_ms BIGINT, name STRING, user STRING, session STRING, seq BIGINT, id STRING, type STRING, system STRING, props STRING"
UNITS = {"ms": 1, "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000}
# Farther than any time, and still no overflow where a window is added.
EVER = 4_000_000_000_000_000

# Every line once, by its id; lines without one are never duplicates.
LINES = """
SELECT t_ms, name, user, session, seq, id, type, system, props
FROM
(
    SELECT *, row_number() OVER (PARTITION BY coalesce(id, uuid()) ORDER BY t_ms) AS place
    FROM raw_lines WHERE coalesce(v, 1) <= 1 AND name != '' AND t_ms IS NOT NULL
)
WHERE place = 1
"""

# Which user an anonymous id became: the first `identified` line wins, by time; of one millisecond the user that sorts first.
IDENTITIES = """
SELECT get_json_object(props, '$.anonymous') AS anonymous, min_by(user, struct(t_ms, user)) AS identified
FROM lines
WHERE type = 'meta' AND name = 'identified' AND user != '' AND get_json_object(props, '$.anonymous') != ''
GROUP BY get_json_object(props, '$.anonymous')
"""

# The events: no meta and no timing lines. `person` is the user, also of what came before the user was known.
TRACKED = """
SELECT t_ms, name, coalesce(identified, user) AS person, user, session, seq, id, system, props
FROM lines LEFT JOIN identities ON lines.user = identities.anonymous
WHERE coalesce(type, 'track') = 'track'
"""

# Folds over each person's moments, a millisecond's names at a time. What is carried along has one element a step: when the
# latest attempt that got there began, when the first that got there began, and when it got there. NULL is never.
PEOPLE = """
WITH moments AS
(
    SELECT person, struct(t_ms AS t, collect_list(name) AS names) AS moment
    FROM tracked
    WHERE person != '' AND array_contains(array({steps}), name) AND t_ms >= {since} AND t_ms <= {until} + {window}
    GROUP BY person, t_ms
),
ways AS (SELECT person, array_sort(collect_list(moment)) AS moments, array({steps}) AS wanted FROM moments GROUP BY person),
folded AS
(
    SELECT person, wanted, filter(aggregate(
        moments,
        transform(wanted, step -> struct(
            CAST(NULL AS BIGINT) AS latest, CAST(NULL AS BIGINT) AS began, CAST(NULL AS BIGINT) AS ended)),
        (before, moment) -> transform(before, (was, place) -> CASE
            WHEN NOT array_contains(moment.names, wanted[place]) THEN was
            ELSE transform(
                array(array_max(concat(array(was.latest), transform(
                    -- Places count from 0 here: `origin` is how many steps an attempt had before this moment.
                    sequence(greatest(place + 1 - size(moment.names), 0), place),
                    -- It gets to `place` if the moment has an event for every step between.
                    origin -> CASE
                        WHEN NOT forall(slice(wanted, origin + 1, place + 1 - origin), step ->
                            size(filter(slice(wanted, origin + 1, place + 1 - origin), other -> other = step))
                                <= size(filter(moment.names, other -> other = step))) THEN NULL
                        WHEN origin = 0 THEN CASE WHEN moment.t >= {since} AND moment.t < {until} THEN moment.t END
                        WHEN moment.t - get(before, origin - 1).latest <= {window} THEN get(before, origin - 1).latest
                    END)))),
                now -> struct(
                    now AS latest,
                    coalesce(was.began, now) AS began,
                    coalesce(was.ended, CASE WHEN now IS NOT NULL THEN moment.t END) AS ended))[0]
        END)), step -> step.ended IS NOT NULL) AS reached
    FROM ways
)
SELECT person, size(reached) AS depth, element_at(reached, -1).began AS entered_ms, element_at(reached, -1).ended AS reached_ms
FROM folded
WHERE size(reached) > 0
"""


def read_events(spark: SparkSession, *paths: str) -> DataFrame:
    """The events of files, folders or globs, and as temporary views `lines`, `identities` and `tracked` for questions of one's own.

    A folder's sub-folders are read, too; what is still being written (`*.open`) is not.
    """
    # The schema is given: guessing it would read everything twice, and take a key that is rare for one that is not there.
    reader = spark.read.schema(LINE).option("recursiveFileLookup", "true").option("pathGlobFilter", "*.ndjson.gz")
    reader.json(list(paths)).createOrReplaceTempView("raw_lines")
    for name, query in (("lines", LINES), ("identities", IDENTITIES), ("tracked", TRACKED)):
        spark.sql(query).createOrReplaceTempView(name)
    return spark.table("tracked")


def funnel_people(spark: SparkSession, steps: list[str], window_ms: int, since_ms: int = -EVER, until_ms: int = EVER) -> DataFrame:
    """How far each person got, and when. A funnel begins from `since_ms` on and before `until_ms`; later steps may lie outside.

    One event fills one step of an attempt, events of one millisecond stand in the order that helps, each first step starts an
    attempt, the window includes its end. Of equally deep attempts the first to get there counts, of those the one that began last.
    """
    literals = ", ".join("'" + step.replace("\\", "\\\\").replace("'", "\\'") + "'" for step in steps)
    numbers = {"window": int(window_ms), "since": int(since_ms), "until": int(until_ms)}
    query = PEOPLE.replace("{steps}", literals)
    for key, number in numbers.items():
        query = query.replace("{" + key + "}", f"CAST({number} AS BIGINT)")
    return spark.sql(query)


def counts(people: DataFrame, steps: list[str]) -> list[int]:
    """How many people reached each step."""
    found = {row["depth"]: row["count"] for row in people.groupBy("depth").count().collect()}
    return [sum(number for depth, number in found.items() if depth > place) for place in range(len(steps))]


def names(text: str) -> list[str]:
    return [step.strip() for step in text.split(">")]


def milliseconds(text: str) -> int:
    match = re.fullmatch(r"(\d+)(ms|s|m|h|d|w)", text)
    if not match:
        raise argparse.ArgumentTypeError(f"`{text}` is no duration such as 90s, 1h or 7d")
    return int(match[1]) * UNITS[match[2]]


def moment(text: str) -> int:
    try:
        time = datetime.datetime.fromisoformat(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"`{text}` is no date or time such as 2026-01-05 or 2026-01-05T18:30") from None
    time = time if time.tzinfo else time.replace(tzinfo=datetime.timezone.utc)
    return (time - datetime.datetime.fromtimestamp(0, datetime.timezone.utc)) // datetime.timedelta(milliseconds=1)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="+", help="files, folders or globs, wherever Spark reads")
    parser.add_argument("--steps", required=True, type=names, help="names with > between them")
    parser.add_argument("--window", type=milliseconds, default=UNITS["w"], help="from step 1, its end included; 7d if left out")
    parser.add_argument("--since", type=moment, default=-EVER, help="the first time at which a funnel may begin, UTC")
    parser.add_argument("--until", type=moment, default=EVER, help="the first at which it may not begin any more")
    parser.add_argument("--format", choices=["table", "json"], default="table")
    options = parser.parse_args()
    spark = SparkSession.builder.appName("Looptrail funnel").getOrCreate()
    try:
        read_events(spark, *options.paths)
        people = counts(funnel_people(spark, options.steps, options.window, options.since, options.until), options.steps)
    finally:
        spark.stop()
    if options.format == "json":
        print(json.dumps({"steps": [{"index": place + 1, "name": name, "count": count} for place, (name, count) in enumerate(zip(options.steps, people))]}))
        return
    width = max(map(len, options.steps))
    for place, (name, count) in enumerate(zip(options.steps, people)):
        share = f"{count / people[0]:7.1%}" if people[0] else ""
        print(f"{place + 1:2} {name:<{width}} {count:>13,}  {share}".rstrip())


if __name__ == "__main__":
    main()
