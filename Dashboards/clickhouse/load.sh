#!/usr/bin/env bash
# Loads sealed event files into looptrail.events, each once however often it is named:
#
#     load.sh FOLDER|FILE …
#
# CLICKHOUSE is the command that runs SQL from its standard input (`clickhouse-client` if not set), with host, user and password
# where they are needed: CLICKHOUSE='clickhouse-client --host db1 --user loader' load.sh looptrail-demo/events
set -euo pipefail

if (($# == 0)); then
    sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi

# Names of event files hold no blanks, quotes or backslashes; the folders above them may.
quoted() {
    local text=${1//\\/\\\\}
    printf "'%s'" "${text//\'/\\\'}"
}

statements() {
    # Not *.open: such a file is still being written, and what is read from it today would be missing its end tomorrow.
    # By name, because the server knows again only so many files, and should forget the oldest.
    # A named file or folder is read even if it is hidden or `..`. Hidden ones inside a folder are skipped.
    {
        find "$@" -maxdepth 0 -type f -name '*.ndjson.gz'
        find "$@" -mindepth 1 -name '.?*' -prune -o -type f -name '*.ndjson.gz' -print
    } | sort | while IFS= read -r file; do
        # The name is the token: a published name never changes its content, and no name is given twice.
        printf "INSERT INTO looptrail.events FROM INFILE %s COMPRESSION 'gzip' SETTINGS insert_deduplication_token = %s, " \
            "$(quoted "$file")" "$(quoted "${file##*/}")"
        printf 'input_format_skip_unknown_fields = 1, input_format_null_as_default = 1, '
        printf 'input_format_json_read_objects_as_strings = 1 FORMAT JSONEachRow;\n'
    done
}

sql=$(statements "$@")
if [[ -z $sql ]]; then
    printf 'no *.ndjson.gz in: %s\n' "$*" >&2
    exit 1
fi
# Words on purpose: the command comes with its options.
# shellcheck disable=SC2086
${CLICKHOUSE:-clickhouse-client --multiquery} <<<"$sql"
printf '%d files\n' "$(wc -l <<<"$sql")"
