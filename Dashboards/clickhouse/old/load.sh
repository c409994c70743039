#!/usr/bin/env bash
# Loads sealed event files into a server before 24.8; a file that comes again is read again, and its lines count once:
#
#     load.sh FOLDER|FILE …
#
# CLICKHOUSE is the client with its options, `clickhouse-client` if not set. Needs zcat.
set -euo pipefail

if (($# == 0)); then
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi

find "$@" -name '.?*' -prune -o -type f -name '*.ndjson.gz' -print | sort | {
    count=0
    while IFS= read -r file; do
        # A line as the only field of its row: JSON begins with a brace, which is no quote, and never holds the separator, a
        # control character.
        # shellcheck disable=SC2086
        zcat -- "$file" | ${CLICKHOUSE:-clickhouse-client} --format_csv_delimiter=$'\x01' --query 'INSERT INTO looptrail.raw FORMAT CSV'
        count=$((count + 1))
    done
    if ((count == 0)); then
        printf 'no *.ndjson.gz in: %s\n' "$*" >&2
        exit 1
    fi
    printf '%d files\n' "$count"
}
