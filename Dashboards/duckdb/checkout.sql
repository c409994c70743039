-- steps catalog_viewed > product_viewed > cart_added > checkout_started > payment_succeeded
-- window 3600000 ms from step 1, inclusive; by user
-- Reads files that pass `looptrail check`. Of lines that share an id the one with the smallest t_ms counts.
-- Events of one millisecond stand in any order. An event that fits two different steps stops the statement.
WITH
lines AS (
    SELECT CAST(t_ms AS BIGINT) AS t_ms, name, coalesce("user", '') AS person, coalesce(session, '') AS session,
        coalesce(id, '') AS id, coalesce(type, '') AS type, coalesce(system, '') AS system,
        CAST(coalesce(nullif(CAST(props AS VARCHAR), ''), '{}') AS JSON) AS props
    FROM read_json('looptrail-demo/events/*.ndjson.gz', format = 'newline_delimited', columns = {
        v: 'INTEGER', t_ms: 'BIGINT', name: 'VARCHAR', "user": 'VARCHAR', session: 'VARCHAR', seq: 'BIGINT', id: 'VARCHAR', type: 'VARCHAR',
        system: 'VARCHAR', props: 'JSON'}) AS line
    WHERE coalesce(v, 1) <= 1 AND name != '' AND t_ms IS NOT NULL
),
identities AS (
    SELECT anonymous, min_by(person, (t_ms, person)) AS identified
    FROM (
        SELECT t_ms, person, CASE WHEN json_type(props, '$."anonymous"') IN ('VARCHAR', 'BOOLEAN', 'BIGINT', 'UBIGINT', 'HUGEINT', 'UHUGEINT', 'DOUBLE') THEN props ->> '$."anonymous"' END AS anonymous FROM lines
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
        SELECT *, CASE WHEN fits1 + fits2 + fits3 + fits4 + fits5 > 1 THEN error('an event fits two different steps, which SQL cannot count exactly: count it with looptrail funnel, or on several machines with looptrail cluster') ELSE CASE WHEN fits1 = 1 THEN 1 WHEN fits2 = 1 THEN 2 WHEN fits3 = 1 THEN 3 WHEN fits4 = 1 THEN 4 WHEN fits5 = 1 THEN 5 ELSE 0 END END AS class
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
    SELECT person_key, held, t_ms, list(class) AS classes, '' AS group_then
    FROM counted
    GROUP BY person_key, held, t_ms
),
ways AS (
    SELECT person_key, held, list({t: t_ms, classes: classes, of_group: group_then} ORDER BY t_ms) AS moments
    FROM at_once
    GROUP BY person_key, held
),
attempts AS (
    SELECT person_key, held, times, len(times) AS depth, '' AS own_group
    FROM (
        SELECT person_key, held, moments,
            list_reduce(
                list_prepend(
                    {t: 0::BIGINT, classes: []::INTEGER[], rows: list_transform([1, 2, 3, 4, 5]::INTEGER[], lambda class: []::BIGINT[]), best: []::BIGINT[]},
                    list_transform(moments, lambda moment:
                        {t: moment.t, classes: moment.classes::INTEGER[], rows: []::BIGINT[][], best: []::BIGINT[]})),
                lambda state, moment: list_transform(
                    [list_transform([1, 2, 3, 4, 5]::INTEGER[], lambda class, nth: CASE
                        WHEN NOT list_contains(moment.classes, class) THEN state.rows[nth]
                        ELSE list_transform(
                            [list_max(list_transform(range(greatest(nth - len(moment.classes), 0), nth), lambda origin: CASE
                                WHEN NOT list_bool_and(list_transform(([1, 2, 3, 4, 5]::INTEGER[])[origin + 1 : nth], lambda one:
                                    len(list_filter(([1, 2, 3, 4, 5]::INTEGER[])[origin + 1 : nth], lambda other: other = one))
                                        <= len(list_filter(moment.classes, lambda other: other = one)))) THEN NULL
                                WHEN origin = 0 THEN CASE WHEN 1 = 1 THEN {began: moment.t, origin: 0::BIGINT} END
                                WHEN moment.t - state.rows[origin][1] <= CAST('3600000' AS BIGINT)
                                    THEN {began: state.rows[origin][1], origin: origin::BIGINT}
                            END))],
                            lambda found: CASE
                                WHEN found IS NULL OR found.began <= state.rows[nth][1] THEN state.rows[nth]
                                ELSE list_concat(state.rows[found.origin][1 : found.origin],
                                    list_transform(range(nth - found.origin), lambda step: moment.t))
                            END)[1]
                        END)],
                    lambda rows: {t: moment.t, classes: moment.classes, rows: rows,
                        best: CASE WHEN len(list_filter(rows, lambda row: len(row) > 0)) > len(state.best)
                            THEN rows[len(list_filter(rows, lambda row: len(row) > 0))] ELSE state.best END})[1]).best AS times
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
        quantile_cont(elapsed, 0.5) AS p50_ms,
        quantile_cont(elapsed, 0.9) AS p90_ms
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
