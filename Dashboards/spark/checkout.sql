-- steps catalog_viewed > product_viewed > cart_added > checkout_started > payment_succeeded
-- window 3600000 ms from step 1, inclusive; by user
-- Reads files that pass `looptrail check`. Of lines that share an id the one with the smallest t_ms counts.
-- Events of one millisecond stand in any order. An event that fits two different steps stops the statement.
WITH
lines AS (
    SELECT CAST(t_ms AS BIGINT) AS t_ms, name, coalesce(`user`, '') AS person, coalesce(session, '') AS session,
        coalesce(id, '') AS id, coalesce(type, '') AS type, coalesce(system, '') AS system, coalesce(props, '') AS props
    FROM (SELECT line.* FROM (SELECT from_json(value, 'v INT, t_ms DOUBLE, name STRING, `user` STRING, session STRING, id STRING, type STRING, system STRING, props STRING') AS line FROM text.`looptrail-demo/events/*.ndjson.gz`) AS text) AS line
    WHERE coalesce(v, 1) <= 1 AND name != '' AND t_ms IS NOT NULL
),
identities AS (
    SELECT anonymous, min_by(person, struct(t_ms, person)) AS identified
    FROM (
        SELECT t_ms, person, CASE WHEN from_json(props, '`anonymous` ARRAY<STRING>').`anonymous` IS NULL AND from_json(props, '`anonymous` MAP<STRING, STRING>').`anonymous` IS NULL THEN from_json(props, '`anonymous` STRING').`anonymous` END AS anonymous FROM lines
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
        SELECT *, CASE WHEN fits1 + fits2 + fits3 + fits4 + fits5 > 1 THEN raise_error('an event fits two different steps, which SQL cannot count exactly: count it with looptrail funnel, or on several machines with looptrail cluster') ELSE CASE WHEN fits1 = 1 THEN 1 WHEN fits2 = 1 THEN 2 WHEN fits3 = 1 THEN 3 WHEN fits4 = 1 THEN 4 WHEN fits5 = 1 THEN 5 ELSE 0 END END AS class
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
    SELECT person_key, held, t_ms, collect_list(class) AS classes, '' AS group_then
    FROM counted
    GROUP BY person_key, held, t_ms
),
ways AS (
    SELECT person_key, held, array_sort(collect_list(struct(t_ms AS t, classes, group_then AS of_group))) AS moments
    FROM at_once
    GROUP BY person_key, held
),
attempts AS (
    SELECT person_key, held, times, size(times) AS depth, '' AS own_group
    FROM (
        SELECT person_key, held, moments,
            aggregate(
                moments,
                struct(transform(array(1, 2, 3, 4, 5), class -> CAST(array() AS ARRAY<BIGINT>)) AS rows, CAST(array() AS ARRAY<BIGINT>) AS best),
                (state, moment) -> transform(
                    array(transform(array(1, 2, 3, 4, 5), (class, nth) -> CASE
                        WHEN NOT array_contains(moment.classes, class) THEN get(state.rows, nth)
                        ELSE get(transform(
                            array(array_max(transform(sequence(greatest(nth + 1 - size(moment.classes), 0), nth), origin -> CASE
                                WHEN NOT forall(slice(array(1, 2, 3, 4, 5), origin + 1, nth + 1 - origin), one ->
                                    size(filter(slice(array(1, 2, 3, 4, 5), origin + 1, nth + 1 - origin), other -> other = one))
                                        <= size(filter(moment.classes, other -> other = one))) THEN NULL
                                WHEN origin = 0 THEN CASE WHEN 1 = 1 THEN struct(moment.t AS began, 0 AS origin) END
                                WHEN moment.t - get(get(state.rows, origin - 1), 0) <= CAST('3600000' AS BIGINT)
                                    THEN struct(get(get(state.rows, origin - 1), 0) AS began, origin AS origin)
                            END))),
                            found -> CASE
                                WHEN found IS NULL OR found.began <= get(get(state.rows, nth), 0) THEN get(state.rows, nth)
                                WHEN found.origin = 0 THEN array_repeat(moment.t, nth + 1)
                                ELSE concat(slice(get(state.rows, found.origin - 1), 1, found.origin),
                                    array_repeat(moment.t, nth + 1 - found.origin))
                            END), 0)
                        END)),
                    rows -> struct(rows AS rows,
                        CASE WHEN size(filter(rows, row -> size(row) > 0)) > size(state.best)
                            THEN get(rows, size(filter(rows, row -> size(row) > 0)) - 1) ELSE state.best END AS best))[0]).best AS times
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
        percentile(elapsed, 0.5) AS p50_ms,
        percentile(elapsed, 0.9) AS p90_ms
    FROM (
        SELECT index, name, CASE WHEN depth >= index THEN 1 ELSE 0 END AS reached,
            CASE WHEN depth >= index AND index > 1 THEN get(times, index - 1) - get(times, 1 - 1) END AS elapsed
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
