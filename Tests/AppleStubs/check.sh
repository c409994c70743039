#!/usr/bin/env bash
# Type-checks code for Apple's frameworks on a machine that has none: compiles the libraries that use them, the examples here, in the
# article and in comments against stubs of the few signatures that they use. Then checks that the compiler refuses each misuse in Misuse/.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
source "$root/.ci/beside"

# As in Package.swift.
flags=(
    -swift-version 6 -warnings-as-errors -package-name looptrail -I "$made" -I "$root/Sources/CZlib" -I "$root/Sources/CGlibc"
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature MemberImportVisibility
    -enable-upcoming-feature InternalImportsByDefault -enable-upcoming-feature NonisolatedNonsendingByDefault
)
sources() { find "$@" -name '*.swift' | sort; }

# module NAME FOLDER [FLAGS]: compiles a module's interface. -wmo also checks the bodies of its functions.
module() {
    local name=$1 folder=$2
    shift 2
    mapfile -t files < <(sources "$folder")
    swiftc "${flags[@]}" "$@" -wmo -parse-as-library -module-name "$name" -emit-module -emit-module-path "$made/$name.swiftmodule" "${files[@]}"
}
# imported NAME: a library that others import and that uses none of these frameworks. Tools/conformance/public_interfaces.py checks the bodies
# of its functions, so they are skipped here.
imported() { module "$1" "$root/Sources/$1" -Xfrontend -experimental-skip-non-inlinable-function-bodies; }

for stub in Combine ObjectiveC SwiftUI UIKit os; do module "$stub" "$here/$stub"; done
imported Basics
module LoopCore "$root/Sources/LoopCore"
module LoopViews "$root/Sources/LoopViews"
imported LoopFlux
module LoopMigration "$root/Sources/LoopMigration"
imported TrackingEvents
module LoopTracing "$root/Sources/LoopTracing"
imported Deflate
imported ParquetFiles
imported EventFiles
imported EventUpload
module LoopLogging "$root/Sources/LoopLogging"
imported LoopRecording
imported LoopLogFiles
imported TrackingPlans
module LoopTracking "$root/Sources/LoopTracking"

# A Mac has no UIKit, so there LoopTracking uses AppKit.
mkdir "$made/mac"
for name in Combine os Basics LoopCore TrackingEvents TrackingPlans; do cp "$made/$name.swiftmodule" "$made/mac"; done
(
    flags=("${flags[@]/#"$made"/"$made/mac"}")
    made="$made/mac"
    module AppKit "$here/AppKit"
    module LoopTracking "$root/Sources/LoopTracking"
)

# Each block of Swift in the article becomes a file. These files and the examples here are one program. The examples in comments are a program
# for each module, because their preludes declare types of the same names.
mkdir -p "$made/article" "$made/comments/LoopViews" "$made/comments/LoopMigration"
awk -v folder="$made/article" '
    /^```swift$/ { block = sprintf("%s/Block%02d.swift", folder, ++count); next }
    /^```$/ { block = ""; next }
    block != "" { print > block }
' "$root/Sources/LoopViews/LoopViews.docc/ViewsAndBindings.md"
mapfile -t examples < <(sources "$here/Examples" "$made/article")
swiftc "${flags[@]}" -parse-as-library -module-name Examples -typecheck "${examples[@]}"
for name in LoopViews LoopMigration; do
    "$root/Tools/conformance/docs_comments.py" --write "$made/comments/$name" "$name"
    mapfile -t files < <(sources "$made/comments/$name")
    swiftc "${flags[@]/-warnings-as-errors/-suppress-warnings}" -parse-as-library -module-name Comments -typecheck "${files[@]}"
done
mapfile -t comments < <(sources "$made/comments")

# refused FILE: the compiler must report each mark's text as an error at its line, and no other. Some errors come only with -emit-sil.
refused() {
    local misuse=$1 more said found marks line mark
    # A file's first line may give further flags of the compiler: `// with FLAGS`.
    read -ra more <<<"$(sed -n '1s|^// with ||p' "$misuse")"
    if said=$(swiftc "${flags[@]}" "${more[@]}" -parse-as-library -module-name Misuse -emit-sil -o /dev/null "$misuse" 2>&1); then
        printf '%s is accepted\n' "$misuse" >&2
        exit 1
    fi
    found=$(sed -nE "s|^$misuse:([0-9]+):[0-9]+: error: (.*)|\1 \2|p" <<<"$said" | sort -n)
    marks=$(sed -nE '/\/\/ refused: /{=;s/.*\/\/ refused: //p}' "$misuse")
    while read -r line && read -r mark; do
        grep -qE "^$line .*" <<<"$found" && grep -qF -- "$mark" <<<"$(grep "^$line " <<<"$found")" || {
            printf '%s:%s is not refused with: %s\n%s\n' "$misuse" "$line" "$mark" "$said" >&2
            exit 1
        }
        echo "$misuse:$line" >>"$made/refusals"
        found=$(grep -v "^$line " <<<"$found" || true)
    done <<<"$marks"
    if [[ -n $found ]]; then
        printf '%s has errors of another kind:\n%s\n' "$misuse" "$said" >&2
        exit 1
    fi
}
for misuse in "$here"/Misuse/*.swift; do
    room
    refused "$misuse" &
done
finish
refusals=$(wc -l <"$made/refusals")
((refusals > 0))
echo "LoopCore, LoopViews, LoopMigration, LoopTracing, LoopTracking and LoopLogging compile against the stubs, $((${#examples[@]} + ${#comments[@]})) files of examples use them, $refusals misuses are refused"
