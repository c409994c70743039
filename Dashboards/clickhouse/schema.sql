-- Looptrail's events in ClickHouse: the table, and the views that the board and the funnels ask.
-- Needs ClickHouse 24.8 or newer (views with parameters, arrayFold).
--
--     clickhouse-client --multiquery < schema.sql
--
-- May be run again: it leaves the table alone and replaces the views.

CREATE DATABASE IF NOT EXISTS looptrail;

-- One row for each line of the files, meta and timing lines too; the columns are the line's keys.
-- An event that was loaded twice is one row: the engine keeps one row of each sorting key, and `id` is part of that key.
-- `props` stays the text that it was in the line; JSONExtractString(props, 'sku') reads a property.
CREATE TABLE IF NOT EXISTS looptrail.events
(
    v       UInt16 DEFAULT 1,
    t_ms    Int64,
    name    LowCardinality(String),
    user    String,
    session String,
    seq     UInt64,
    -- Lines of other writers may lack an id. No such line is a duplicate, so that each gets an id of its own.
    id      String DEFAULT toString(generateUUIDv4()),
    type    LowCardinality(String),
    system  LowCardinality(String),
    props   String DEFAULT '{}',
    time    DateTime64(3, 'UTC') MATERIALIZED fromUnixTimestamp64Milli(t_ms, 'UTC')
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(time)
ORDER BY (type, name, user, t_ms, id)
-- A file's name is its insert's token (load.sh): a file that comes again is not even read into the table.
SETTINGS non_replicated_deduplication_window = 10000;

-- Every line of a known version, once. FINAL leaves out what the engine has not merged yet.
CREATE OR REPLACE VIEW looptrail.lines AS
SELECT *, time FROM looptrail.events FINAL WHERE v <= 1 AND name != '';

-- Which user an anonymous id became: the first `identified` line wins, by time; of one millisecond the user that sorts first.
CREATE OR REPLACE VIEW looptrail.identities AS
SELECT JSONExtractString(props, 'anonymous') AS anonymous, argMin(user, (t_ms, user)) AS identified
FROM looptrail.lines
WHERE type = 'meta' AND name = 'identified' AND user != '' AND anonymous != ''
GROUP BY anonymous;

-- The events: no meta and no timing lines. `person` is the user, also of what came before the user was known.
CREATE OR REPLACE VIEW looptrail.tracked AS
SELECT t_ms, time, name, user, if(identified = '', user, identified) AS person, session, seq, id, system, props
FROM (SELECT * FROM looptrail.lines WHERE type IN ('', 'track')) AS event
LEFT JOIN looptrail.identities AS identity ON event.user = identity.anonymous;
