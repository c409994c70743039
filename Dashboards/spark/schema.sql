-- Looptrail's lines in Spark 3.5 or newer: nothing is loaded, every query reads the files.
-- Every line once, by its id; lines without one are never duplicates.
CREATE OR REPLACE TEMPORARY VIEW lines AS
SELECT CAST(t_ms AS BIGINT) AS t_ms, name, user, session, id, type, system, props
FROM
(
    SELECT *, row_number() OVER (PARTITION BY coalesce(nullif(id, ''), uuid()) ORDER BY t_ms) AS nth
    FROM (SELECT line.* FROM (SELECT from_json(value, 'v INT, t_ms DOUBLE, name STRING, `user` STRING, session STRING, id STRING, type STRING, system STRING, props STRING') AS line FROM text.`looptrail-demo/events/*.ndjson.gz`) AS text) AS line WHERE coalesce(v, 1) <= 1 AND name != '' AND t_ms IS NOT NULL
) AS copies
WHERE nth = 1;

-- Which user an anonymous id became: the first `identified` line wins, by time; of one millisecond the user that sorts first.
CREATE OR REPLACE TEMPORARY VIEW identities AS
SELECT get_json_object(props, '$.anonymous') AS anonymous, min_by(user, struct(t_ms, user)) AS identified
FROM lines
WHERE type = 'meta' AND name = 'identified' AND user != '' AND get_json_object(props, '$.anonymous') != ''
GROUP BY get_json_object(props, '$.anonymous');

-- The events: no meta and no timing lines. `person` is the user, also of what came before the user was known.
CREATE OR REPLACE TEMPORARY VIEW tracked AS
SELECT t_ms, name, coalesce(identified, user) AS person, user, session, id, system, props
FROM lines LEFT JOIN identities ON lines.user = identities.anonymous
WHERE coalesce(type, 'track') = 'track';
