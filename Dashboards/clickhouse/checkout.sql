-- steps catalog_viewed > product_viewed > cart_added > checkout_started > payment_succeeded
-- window 3600000 ms from step 1, inclusive; by user
-- Reads files that pass `looptrail check`. Of lines that share an id the one with the smallest t_ms counts.
-- Events of one millisecond stand in any order. An event that fits two different steps stops the statement.
WITH
lines AS (
    SELECT toInt64(assumeNotNull(line.t_ms)) AS t_ms, ifNull(toString(name), '') AS name, ifNull(toString(user), '') AS person,
        ifNull(toString(session), '') AS session, ifNull(toString(id), '') AS id, ifNull(toString(type), '') AS type,
        ifNull(toString(system), '') AS system, ifNull(props, '{}') AS props
    FROM looptrail.events AS line
    WHERE ifNull(v, 1) <= 1 AND name != '' AND line.t_ms IS NOT NULL
),
identities AS (
    SELECT anonymous, argMin(person, (t_ms, person)) AS identified
    FROM (
        SELECT t_ms, person, multiIf(JSONType(props, 'anonymous') = 'String', JSONExtractString(props, 'anonymous'), JSONType(props, 'anonymous') IN ('Int64', 'UInt64', 'Double', 'Bool'), JSONExtractRaw(props, 'anonymous'), NULL) AS anonymous FROM lines
        WHERE type = 'meta' AND name = 'identified' AND person != ''
    ) AS joining
    WHERE anonymous != ''
    GROUP BY anonymous
),
events AS (
    SELECT t_ms,
        name,
        person,
        session,
        system,
        id
    FROM lines
    WHERE type IN ('', 'track') AND name IN ('cart_added', 'catalog_viewed', 'checkout_started', 'payment_succeeded', 'product_viewed')
),
matching AS (
    SELECT t_ms, id, class, person AS own_key, '' AS held, '' AS of_group
    FROM (
        SELECT *, assumeNotNull(if(throwIf(fits1 + fits2 + fits3 + fits4 + fits5 > 1, 'an event fits two different steps, which SQL cannot count exactly: count it with looptrail funnel, or on several machines with looptrail cluster') = 0, CASE WHEN fits1 = 1 THEN 1 WHEN fits2 = 1 THEN 2 WHEN fits3 = 1 THEN 3 WHEN fits4 = 1 THEN 4 WHEN fits5 = 1 THEN 5 ELSE 0 END, NULL)) AS class
        FROM (
            SELECT *,
                CASE WHEN name IN ('catalog_viewed') THEN 1 ELSE 0 END AS fits1,
                CASE WHEN name IN ('product_viewed') THEN 1 ELSE 0 END AS fits2,
                CASE WHEN name IN ('cart_added') THEN 1 ELSE 0 END AS fits3,
                CASE WHEN name IN ('checkout_started') THEN 1 ELSE 0 END AS fits4,
                CASE WHEN name IN ('payment_succeeded') THEN 1 ELSE 0 END AS fits5
            FROM (SELECT * FROM events) AS typed
        ) AS tested
        WHERE fits1 = 1 OR fits2 = 1 OR fits3 = 1 OR fits4 = 1 OR fits5 = 1
    ) AS fitting
),
counted AS (
    SELECT t_ms, class, held, of_group, coalesce(nullif(identified, ''), own_key) AS person_key
    FROM (
        SELECT t_ms, class, held, of_group, own_key
        FROM (SELECT *, row_number() OVER (PARTITION BY id ORDER BY t_ms) AS copy FROM matching WHERE id != '') AS copies
        WHERE copy = 1
        UNION ALL
        SELECT t_ms, class, held, of_group, own_key FROM matching WHERE id = ''
    ) AS once
    LEFT JOIN identities ON once.own_key = identities.anonymous
    WHERE own_key != ''
),
at_once AS (
    SELECT person_key, held, t_ms, groupArray(class) AS classes, '' AS group_then
    FROM counted
    GROUP BY person_key, held, t_ms
),
ways AS (
    SELECT person_key, held, arraySort(groupArray((t_ms, classes, group_then))) AS moments
    FROM at_once
    GROUP BY person_key, held
),
attempts AS (
    SELECT person_key, held, times, length(times) AS depth, '' AS own_group
    FROM (
        SELECT person_key, held, moments,
            arrayFold(
                (state, moment) -> arrayMap(
                    rows -> (rows, if(arrayCount(row -> notEmpty(row), rows) > length(state.2),
                        rows[arrayCount(row -> notEmpty(row), rows)], state.2)),
                    [arrayMap(
                        (nth, row) -> if(has(moment.2, [1, 2, 3, 4, 5][nth]),
                            arrayMap(
                                found -> if(found.2 >= 0 AND (empty(row) OR found.1 > row[1]),
                                    arrayConcat(
                                        arraySlice(state.1[toUInt32(greatest(found.2, 1))], 1, found.2),
                                        arrayResize(emptyArrayInt64(), nth - found.2, moment.1)),
                                    row),
                                [arrayReduce('max', arrayMap(
                                    origin -> multiIf(
                                        NOT arrayAll(
                                            class -> countEqual(arraySlice([1, 2, 3, 4, 5], origin + 1, nth - origin), class)
                                                <= countEqual(moment.2, class),
                                            arraySlice([1, 2, 3, 4, 5], origin + 1, nth - origin)), (toInt64(0), toInt64(-1)),
                                        origin = 0, if(1 = 1, (moment.1, toInt64(0)), (toInt64(0), toInt64(-1))),
                                        notEmpty(state.1[origin]) AND moment.1 - state.1[origin][1] <= toInt64('3600000'),
                                            (state.1[origin][1], toInt64(origin)),
                                        (toInt64(0), toInt64(-1))),
                                    range(toUInt32(greatest(toInt64(nth) - toInt64(length(moment.2)), 0)), toUInt32(nth))))])[1],
                            row),
                        arrayEnumerate([1, 2, 3, 4, 5]), state.1)])[1],
                moments,
                (arrayResize([]::Array(Array(Int64)), length([1, 2, 3, 4, 5]), emptyArrayInt64()), emptyArrayInt64())).2 AS times
        FROM ways
    ) AS folded
),
steps AS (
    SELECT 1 AS index, 'catalog_viewed' AS name
    UNION ALL SELECT 2, 'product_viewed'
    UNION ALL SELECT 3, 'cart_added'
    UNION ALL SELECT 4, 'checkout_started'
    UNION ALL SELECT 5, 'payment_succeeded'
),
bars AS (
    SELECT index, name, sum(reached) AS reached,
        quantileExactInclusiveOrNull(0.5)(elapsed) AS p50_ms,
        quantileExactInclusiveOrNull(0.9)(elapsed) AS p90_ms
    FROM (
        SELECT index, name, CASE WHEN depth >= index THEN 1 ELSE 0 END AS reached,
            CASE WHEN depth >= index AND index > 1 THEN times[index] - times[1] END AS elapsed
        FROM attempts AS chain CROSS JOIN steps
        UNION ALL SELECT index, name, 0, NULL FROM steps
    ) AS bar
    GROUP BY index, name
)
SELECT index, name, reached AS count, reached / nullif(entered, 0) AS of_first,
    reached / nullif(before, 0) AS of_previous, p50_ms, p90_ms
FROM (
    SELECT *, first_value(reached) OVER (ORDER BY index) AS entered,
        CASE WHEN index = 1 THEN reached ELSE lag(reached) OVER (ORDER BY index) END AS before
    FROM bars
) AS shares
ORDER BY index
SETTINGS input_format_skip_unknown_fields = 1, input_format_null_as_default = 1, input_format_json_read_objects_as_strings = 1,
    precise_float_parsing = 1, join_use_nulls = 0
