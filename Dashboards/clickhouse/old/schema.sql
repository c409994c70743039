-- The table and the views for servers before 24.8, back to 18.16, which Debian has: no JSON in the input of an object, no views
-- with parameters, no times finer than a second. Properties stay text here, too.
--
--     clickhouse-client --multiquery < schema.sql

CREATE DATABASE IF NOT EXISTS looptrail;

-- What load.sh inserts into: whole lines, of which nothing is kept. The view below takes them apart on the way.
CREATE TABLE IF NOT EXISTS looptrail.raw (line String) ENGINE = Null;

CREATE TABLE IF NOT EXISTS looptrail.events
(
    v       UInt16,
    t_ms    Int64,
    name    String,
    user    String,
    session String,
    seq     UInt64,
    id      String,
    type    String,
    system  String,
    props   String,
    -- A funnel's times are t_ms; this one is for people and for partitions.
    time    DateTime
)
ENGINE = ReplacingMergeTree
PARTITION BY toYYYYMM(time)
ORDER BY (type, name, user, t_ms, id);

-- Only the head is searched, so that a property that is called `user` is none of the line's own keys. A quote inside a text is
-- written \" there, so that ,"props":{ stands nowhere else; what follows it up to the last brace are the properties.
CREATE MATERIALIZED VIEW IF NOT EXISTS looptrail.taken_apart TO looptrail.events AS
WITH
    position(line, ',"props":{') AS place,
    if(place = 0, line, concat(substring(line, 1, place - 1), '}')) AS head
SELECT
    if(visitParamHas(head, 'v'), toUInt16(visitParamExtractUInt(head, 'v')), toUInt16(1)) AS v,
    visitParamExtractInt(head, 't_ms') AS t_ms,
    visitParamExtractString(head, 'name') AS name,
    visitParamExtractString(head, 'user') AS user,
    visitParamExtractString(head, 'session') AS session,
    visitParamExtractUInt(head, 'seq') AS seq,
    if(visitParamHas(head, 'id'), visitParamExtractString(head, 'id'), toString(generateUUIDv4())) AS id,
    visitParamExtractString(head, 'type') AS type,
    visitParamExtractString(head, 'system') AS system,
    if(place = 0, '{}', substring(line, place + 9, length(line) - place - 9)) AS props,
    toDateTime(intDiv(visitParamExtractInt(head, 't_ms'), 1000)) AS time
FROM looptrail.raw;

CREATE VIEW IF NOT EXISTS looptrail.lines AS
SELECT * FROM looptrail.events FINAL WHERE v <= 1 AND name != '';

CREATE VIEW IF NOT EXISTS looptrail.identities AS
SELECT visitParamExtractString(props, 'anonymous') AS anonymous, argMin(user, (t_ms, user)) AS identified
FROM looptrail.lines
WHERE type = 'meta' AND name = 'identified' AND user != '' AND visitParamExtractString(props, 'anonymous') != ''
GROUP BY anonymous;

CREATE VIEW IF NOT EXISTS looptrail.tracked AS
SELECT t_ms, time, name, user, if(identified = '', user, identified) AS person, session, seq, id, system, props
FROM (SELECT *, user AS anonymous FROM looptrail.lines WHERE type IN ('', 'track'))
ANY LEFT JOIN looptrail.identities USING (anonymous);
