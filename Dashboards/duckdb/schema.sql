-- Looptrail's lines in DuckDB 1.4 or newer: nothing is loaded, every query reads the files.
CREATE OR REPLACE VIEW raw_lines AS
SELECT coalesce(v, 1) AS v, * EXCLUDE (v)
FROM read_json('looptrail-demo/events/*.ndjson.gz', format = 'newline_delimited', columns = {
    v: 'INTEGER', t_ms: 'BIGINT', name: 'VARCHAR', "user": 'VARCHAR', session: 'VARCHAR', seq: 'BIGINT', id: 'VARCHAR', type: 'VARCHAR',
    system: 'VARCHAR', props: 'JSON'});

-- Every line once, by its id; lines without one are never duplicates.
CREATE OR REPLACE VIEW lines AS
SELECT * FROM raw_lines
WHERE v <= 1 AND name != '' AND t_ms IS NOT NULL
QUALIFY coalesce(id, '') = '' OR row_number() OVER (PARTITION BY id ORDER BY t_ms) = 1;

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
