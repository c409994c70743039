-- A funnel on servers before 24.8. There are no parameters yet: change names, window and times here.
--
--     clickhouse-client < funnel.sql
--
-- No name may occur twice: windowFunnel of 18.16 gives an event to the first step that it fits, and to no other. It takes
-- seconds or 32-bit numbers as times. Milliseconds since the beginning of what is asked for are such numbers for 49 days; for
-- longer times take toUInt32(intDiv(t_ms, 1000)) and a window in seconds, which are exact to the second.
SELECT place AS index, countIf(level >= place) AS people
FROM
(
    SELECT person, windowFunnel(3600000)(
        toUInt32(t_ms - 1767225600000),
        name = 'catalog_viewed' AND t_ms < 1768435200000 + 86400000,
        name = 'product_viewed',
        name = 'cart_added',
        name = 'checkout_started',
        name = 'payment_succeeded') AS level
    FROM looptrail.tracked
    WHERE person != '' AND t_ms >= 1767225600000 AND t_ms < 1768435200000 + 86400000 + 3600001
    GROUP BY person
)
ARRAY JOIN [1, 2, 3, 4, 5] AS place
GROUP BY place
ORDER BY place;
