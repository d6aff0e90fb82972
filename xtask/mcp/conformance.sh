#!/bin/bash
# Runs the official conformance suite of MCP against `precedent mcp --http`: conformance.sh PROGRAM. Other scenarios need the tools of a server made for the
# suite. The suite needs Node 22, which comes from npm as the package `node`.
set -euo pipefail
cd "$(dirname "$0")/../.."
program="$(realpath "$1")"
suite="$PWD/target/mcp-conformance"
mkdir -p "$suite"
[ -e "$suite/package.json" ] || echo '{"private": true}' > "$suite/package.json"
[ -e "$suite/node_modules/.bin/conformance" ] || npm install --prefix "$suite" --silent --no-audit --no-fund node@22.23.3 @modelcontextprotocol/conformance@0.1.16

work="$(mktemp -d)"
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$work"' EXIT
PRECEDENT_CACHE=off XDG_CONFIG_HOME=/nonexistent "$program" mcp --http 127.0.0.1:0 --root examples --corpus examples/works --runs "$work/runs" 2> "$work/log" &
server=$!
for _ in $(seq 100); do
    address="$(grep -o 'http://[^ ;]*' "$work/log" || true)"
    [ -n "$address" ] && break
    sleep 0.1
done
if [ -z "$address" ]; then
    echo "the server did not start:" >&2
    cat "$work/log" >&2
    exit 1
fi
for scenario in server-initialize ping tools-list resources-list prompts-list server-sse-multiple-streams dns-rebinding-protection; do
    if ! (cd "$work" && "$suite/node_modules/.bin/node" "$suite/node_modules/.bin/conformance" server --url "$address" --scenario "$scenario") > "$work/$scenario" 2>&1; then
        cat "$work/$scenario" >&2
        exit 1
    fi
    echo "$scenario: conforms"
done
