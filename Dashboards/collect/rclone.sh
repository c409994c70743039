#!/bin/sh
# Copies the finished segments of a folder to a place that rclone knows: rclone.sh FOLDER REMOTE:PATH [flags of rclone]
# Tested by Tools/conformance/collect.py.
set -eu
folder=${1:?the folder of segments} place=${2:?the place, as in collect:bucket/in}
shift 2
exec rclone copy --immutable --checksum --include '/*.ndjson.gz' "$@" "$folder" "$place"
