-- Funnels as views with parameters. Run after schema.sql:
--
--     clickhouse-client --multiquery < funnel.sql
--     clickhouse-client --query "SELECT * FROM looptrail.funnel(
--         steps = 'product_viewed > cart_added > payment_succeeded', window_ms = 3600000, since_ms = 0, until_ms = 4102444800000)"
--
-- steps      names in the words of `looptrail funnel`, but names only: no tests, groups or optional steps. A name may occur twice.
-- window_ms  measured from step 1, its end included
-- since_ms   the first millisecond in which a funnel may begin; later steps may lie outside
-- until_ms   the first in which it may not begin any more
--
-- The counts equal those of `looptrail funnel --steps … --window … --since … --until …`.

-- How far each person got, by windowFunnel: one fast pass. It counts as Looptrail does while no name occurs twice among the
-- steps; where one does, windowFunnel lets one event fill several steps: then ask funnel_people below.
CREATE OR REPLACE VIEW looptrail.funnel_levels AS
WITH splitByRegexp('\\s*>\\s*', trimBoth({steps:String})) AS steps
SELECT person, windowFunnel({window_ms:UInt64})(
    -- Unsigned, because windowFunnel takes no other times; years before 1970 come first all the same.
    toUInt64(t_ms + 9223372036854775808),
    name = steps[1] AND t_ms >= {since_ms:Int64} AND t_ms < {until_ms:Int64},
    -- Beyond the last step an array gives '', and no event is called that.
    name = steps[2], name = steps[3], name = steps[4], name = steps[5], name = steps[6], name = steps[7], name = steps[8],
    name = steps[9], name = steps[10], name = steps[11], name = steps[12], name = steps[13], name = steps[14], name = steps[15],
    name = steps[16]) AS level
FROM looptrail.tracked
WHERE person != '' AND has(steps, name) AND throwIf(length(steps) > 16, 'a funnel of funnel_levels has 16 steps at most') = 0
    AND t_ms >= {since_ms:Int64}
    AND t_ms < {until_ms:Int64} + {window_ms:Int64} + 1
GROUP BY person
HAVING level > 0;

-- How far each person got, and when, as Looptrail defines it, for any names: one event fills one step of an attempt, events of
-- one millisecond stand in the order that helps, each first step starts an attempt. Of equally deep attempts the first to get
-- there counts, of those the one that began last.
--
-- Folds over each person's moments, a millisecond's names at a time. What is carried along, each with one element a step:
-- when the latest attempt that got there began, when the first that got there began, and when it got there.
CREATE OR REPLACE VIEW looptrail.funnel_people AS
WITH
    splitByRegexp('\\s*>\\s*', trimBoth({steps:String})) AS steps,
    -- Longer ago than any window, and still no overflow where a time is subtracted.
    toInt64(-4000000000000000000) AS never
SELECT
    person,
    arrayCount(start -> start != never, reached.2) AS depth,
    reached.2[depth] AS entered_ms,
    reached.3[depth] AS reached_ms,
    fromUnixTimestamp64Milli(entered_ms, 'UTC') AS entered,
    steps[depth] AS step
FROM
(
    SELECT person, arrayFold(
        (before, moment) -> (
            arrayMap(
                (step, nth, was) -> if(has(moment.2, step), greatest(was, arrayMax(arrayMap(
                    -- An attempt that stood at step `from` gets to `nth` if the moment has an event for every step between.
                    from -> multiIf(
                        NOT arrayAll(
                            name -> countEqual(arraySlice(steps, from + 1, nth - from), name) <= countEqual(moment.2, name),
                            arraySlice(steps, from + 1, nth - from)), never,
                        from = 0, if(moment.1 >= {since_ms:Int64} AND moment.1 < {until_ms:Int64}, moment.1, never),
                        moment.1 - before.1[from] <= {window_ms:Int64}, before.1[from],
                        never),
                    range(toUInt64(greatest(toInt64(nth) - toInt64(length(moment.2)), 0)), toUInt64(nth))))), was),
                steps, arrayEnumerate(steps), before.1) AS latest,
            arrayMap((first, now) -> if(first = never, now, first), before.2, latest),
            arrayMap((at, now) -> if(at = never AND now != never, moment.1, at), before.3, latest)),
        arraySort(groupArray((t_ms, names))),
        (arrayResize([never], length(steps), never), arrayResize([never], length(steps), never), arrayResize([never], length(steps), never))
    ) AS reached
    FROM
    (
        SELECT person, t_ms, groupArray(toString(name)) AS names
        FROM looptrail.tracked
        WHERE person != '' AND has(steps, name) AND t_ms >= {since_ms:Int64} AND t_ms < {until_ms:Int64} + {window_ms:Int64} + 1
        GROUP BY person, t_ms
    )
    GROUP BY person
)
WHERE depth > 0;

-- The bars: one row a step, the first with all that entered.
CREATE OR REPLACE VIEW looptrail.funnel AS
WITH splitByRegexp('\\s*>\\s*', trimBoth({steps:String})) AS steps
SELECT
    index, steps[index] AS name, people,
    people / nullIf(entered, 0) AS of_first,
    people / nullIf(before, 0) AS of_previous,
    before - people AS dropped
FROM
(
    SELECT arrayResize(
        sumForEach(arrayMap(nth -> toInt64(depth >= nth), arrayEnumerate(steps))), length(steps), toInt64(0)) AS counts
    FROM looptrail.funnel_people(
        steps = {steps:String}, window_ms = {window_ms:Int64}, since_ms = {since_ms:Int64}, until_ms = {until_ms:Int64})
)
ARRAY JOIN
    arrayEnumerate(counts) AS index,
    counts AS people,
    arrayPushFront(arrayPopBack(counts), counts[1]) AS before,
    arrayResize([counts[1]], length(counts), counts[1]) AS entered;

-- The funnel by a property: `property` is a key of props, dots go deeper. A person's value is the first one that is not empty on
-- an event of any step, of one millisecond the value that sorts first; '(none)' without one. The ten most frequent values have
-- groups of their own, the rest is '(other)'. Equals --breakdown props.<property>, but that ClickHouse writes 9.0 as 9.
CREATE OR REPLACE VIEW looptrail.funnel_groups AS
WITH
    splitByRegexp('\\s*>\\s*', trimBoth({steps:String})) AS steps,
    people AS
    (
        SELECT person, depth
        FROM looptrail.funnel_people(
            steps = {steps:String}, window_ms = {window_ms:Int64}, since_ms = {since_ms:Int64}, until_ms = {until_ms:Int64})
    ),
    values AS
    (
        SELECT person, argMin(text, (t_ms, text)) AS earliest
        FROM
        (
            SELECT
                person, t_ms, arrayFold((json, key) -> JSONExtractRaw(json, key), splitByChar('.', {property:String}), props) AS raw,
                multiIf(raw = 'null' OR match(raw, '^[{\\[]'), '', startsWith(raw, '"'), JSONExtractString(raw), raw) AS text
            FROM looptrail.tracked
            WHERE has(steps, name)
        )
        WHERE text != ''
        GROUP BY person
    ),
    sizes AS
    (
        SELECT text, depth, count() AS people, sum(people) OVER (PARTITION BY text) AS size
        FROM (SELECT if(earliest = '', '(none)', earliest) AS text, depth FROM people LEFT JOIN values USING (person))
        GROUP BY text, depth
    ),
    ranked AS
    (
        SELECT text, depth, people, dense_rank() OVER (ORDER BY text IN ('(none)', '(other)'), size DESC, text) AS rank FROM sizes
    )
SELECT
    if(text != '(none)' AND rank > 10, '(other)', text) AS value,
    sum(people) AS entered,
    sumIf(people, depth = length(steps)) AS converted,
    converted / entered AS rate
FROM ranked
GROUP BY value
ORDER BY entered DESC, value;
