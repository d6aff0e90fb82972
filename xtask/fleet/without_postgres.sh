#!/usr/bin/env bash
# Checks a program that was built without the feature `postgres`: each command that needs it says how to build it, shows no password and makes no files.
# `without_postgres.sh PROGRAM`, in the root of the repository.
set -euo pipefail
program="$1"
folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
database=postgres://chair:secret@127.0.0.1/venue
store="$folder/store"

check() {
    code=0
    output="$("$program" "$@" 2>&1)" || code=$?
    if [ "$code" != 2 ] || [[ "$output" != *"cargo build --release --features postgres"* ]] || [[ "$output" == *secret* ]] || [ -n "$(ls -A "$folder")" ]; then
        printf '%s: exit code %s\n%s\n' "$*" "$code" "$output" >&2
        exit 1
    fi
}

check batch examples/works --corpus examples/works --out "$folder/out" --database "$database"
check batch examples/works --database "$database" --store "$store" --jobs 0
check worker --database "$database" --store "$store"
check batches --database "$database"
check corpus push examples/works --store "$store"
check corpus pull works --store "$store"
check serve --bind 127.0.0.1:0 --data "$folder/data" --database "$database"
echo "7 commands say how to build what they need"
