-- Looptrail's files as they lie, in DuckDB 1.4 or newer: nothing is loaded, every query reads the files.
--
--     duckdb -cmd "SET VARIABLE files = 'looptrail-demo/events/*.ndjson.gz'" -init looptrail.sql
--     D FROM funnel('product_viewed > cart_added > payment_succeeded', window_ms := 3600000);
--
-- `files` is a path, a glob (`events/**/*.ndjson.gz`), a list of them, or addresses of object storage.

-- The keys are named, so that nothing is guessed from the first lines and a file without a user or a type reads like any other.
CREATE OR REPLACE VIEW raw_lines AS
SELECT coalesce(v, 1) AS v, * EXCLUDE (v)
FROM read_json(
    getvariable('files'), format = 'newline_delimited',
    columns = {
        v: 'INTEGER', t_ms: 'BIGINT', name: 'VARCHAR', "user": 'VARCHAR', session: 'VARCHAR', seq: 'BIGINT', id: 'VARCHAR',
        type: 'VARCHAR', system: 'VARCHAR', props: 'JSON'
    });

-- Every line once, by its id; lines without one are never duplicates.
CREATE OR REPLACE VIEW lines AS
SELECT * FROM raw_lines
WHERE v <= 1 AND name != '' AND t_ms IS NOT NULL
QUALIFY id IS NULL OR row_number() OVER (PARTITION BY id ORDER BY t_ms) = 1;

-- Which user an anonymous id became: the first `identified` line wins, by time; of one millisecond the user that sorts first.
CREATE OR REPLACE VIEW identities AS
SELECT props ->> 'anonymous' AS anonymous, min_by("user", (t_ms, "user")) AS identified
FROM lines
WHERE type = 'meta' AND name = 'identified' AND "user" != '' AND (props ->> 'anonymous') != ''
GROUP BY anonymous;

-- The events: no meta and no timing lines. `person` is the user, also of what came before the user was known.
CREATE OR REPLACE VIEW tracked AS
SELECT
    t_ms, make_timestamp(t_ms * 1000) AS time, name, coalesce(identified, "user") AS person, "user", session, seq, id, system, props
FROM lines LEFT JOIN identities ON lines."user" = identities.anonymous
WHERE coalesce(type, 'track') = 'track';

-- The names of the steps; `funnel` speaks the words of `looptrail funnel`, but names only: no tests, groups or optional steps.
CREATE OR REPLACE MACRO step_names(steps) AS list_transform(string_split(steps, '>'), lambda step: trim(step));

-- Every name whether the events of one millisecond suffice for these steps, taken together.
CREATE OR REPLACE MACRO suffices(names, wanted) AS
    list_bool_and(list_transform(wanted, lambda name:
        len(list_filter(wanted, lambda other: other = name)) <= len(list_filter(names, lambda other: other = name))));

-- How far each person got, and when, as Looptrail defines it: one event fills one step of an attempt, events of one millisecond
-- stand in the order that helps, each first step starts an attempt, the window includes its end. Of equally deep attempts the
-- first to get there counts, of those the one that began last. A funnel begins from `since_ms` on and before `until_ms`; later
-- steps may lie outside.
--
-- Folds over each person's moments, a millisecond's names at a time. What is carried along has one element a step: when the
-- latest attempt that got there began, when the first that got there began, and when it got there. NULL is never.
CREATE OR REPLACE MACRO funnel_people(steps, window_ms := 604800000, since_ms := -4000000000000000, until_ms := 4000000000000000) AS TABLE
WITH moments AS
(
    SELECT person, t_ms, list(name) AS names
    FROM tracked
    WHERE person != '' AND list_contains(step_names(steps), name) AND t_ms >= since_ms AND t_ms <= until_ms + window_ms
    GROUP BY person, t_ms
),
ways AS
(
    SELECT person, list({t: t_ms, names: names} ORDER BY t_ms) AS moments, step_names(steps) AS wanted
    FROM moments GROUP BY person
),
folded AS
(
    SELECT person, wanted, list_filter(list_reduce(
        -- A fold's elements are of the type of what it carries.
        list_transform(moments, lambda moment: {t: moment.t, names: moment.names, steps: []::STRUCT(latest BIGINT, began BIGINT, ended BIGINT)[]}),
        lambda before, moment: {
            t: moment.t,
            names: moment.names,
            steps: list_transform(before.steps, lambda was, place: CASE
                WHEN NOT list_contains(moment.names, wanted[place]) THEN was
                ELSE list_transform(
                    [list_max(list_append(list_transform(
                        range(greatest(place - len(moment.names), 0), place),
                        -- An attempt that stood at step `origin` gets to `place` if the moment has an event for every step between.
                        lambda origin: CASE
                            WHEN NOT suffices(moment.names, wanted[origin + 1 : place]) THEN NULL
                            WHEN origin = 0 THEN CASE WHEN moment.t >= since_ms AND moment.t < until_ms THEN moment.t END
                            WHEN moment.t - before.steps[origin].latest <= window_ms THEN before.steps[origin].latest
                        END), was.latest))],
                    lambda now: {
                        latest: now,
                        began: coalesce(was.began, now),
                        ended: coalesce(was.ended, CASE WHEN now IS NOT NULL THEN moment.t END)
                    })[1]
            END)
        },
        {t: 0::BIGINT, names: []::VARCHAR[],
         steps: list_transform(wanted, lambda step: {latest: NULL::BIGINT, began: NULL::BIGINT, ended: NULL::BIGINT})}
    ).steps, lambda step: step.ended IS NOT NULL) AS reached
    FROM ways
)
SELECT person, len(reached) AS depth, wanted[depth] AS step, reached[depth].began AS entered_ms, reached[depth].ended AS reached_ms
FROM folded
WHERE depth > 0;

-- The bars: one row a step, the first with all that entered.
CREATE OR REPLACE MACRO funnel(steps, window_ms := 604800000, since_ms := -4000000000000000, until_ms := 4000000000000000) AS TABLE
WITH people AS MATERIALIZED (FROM funnel_people(steps, window_ms := window_ms, since_ms := since_ms, until_ms := until_ms)),
bars AS
(
    SELECT index, step_names(steps)[index] AS name, (SELECT count(*) FROM people WHERE depth >= index) AS people
    FROM range(1, len(step_names(steps)) + 1) AS places(index)
)
SELECT
    index, name, people,
    people / nullif(first_value(people) OVER in_order, 0) AS of_first,
    people / nullif(lag(people, 1, people) OVER in_order, 0) AS of_previous,
    lag(people, 1, people) OVER in_order - people AS dropped
FROM bars
WINDOW in_order AS (ORDER BY index)
ORDER BY index;
