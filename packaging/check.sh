#!/bin/bash
# Packs a program, serves it on this machine, installs it with install.sh and runs it: check.sh PROGRAM.
set -euo pipefail
cd "$(dirname "$0")/.."
program="$(realpath "$1")"
work="$(mktemp -d)"
trap 'kill "${server:-}" 2>/dev/null || true; rm -rf "$work"' EXIT
release="$work/releases/latest/download"
target="$(uname -m)-unknown-linux-gnu"
packaging/archive.sh "$program" "$target" "$release"

python3 -u -m http.server 0 --bind 127.0.0.1 --directory "$work/releases" > "$work/log" 2>&1 &
server=$!
for _ in $(seq 100); do
    port="$(sed -n 's/.*port \([0-9]*\).*/\1/p' "$work/log")"
    [ -n "$port" ] && break
    sleep 0.1
done
export PRECEDENT_RELEASES="http://127.0.0.1:$port" PRECEDENT_PREFIX="$work/home"
sh install.sh | tee "$work/said"
grep -q "installed precedent" "$work/said"
"$work/home/bin/precedent" --version
for page in "$work"/home/share/man/man1/*.1; do
    # Warnings are faults too. Long lines of examples are not.
    if command -v groff >/dev/null; then
        faults="$(groff -man -Tutf8 -wall -wno-break "$page" 2>&1 >/dev/null || true)"
        [ -z "$faults" ] || { echo "$page: $faults" >&2; exit 1; }
    fi
done
bash -n "$work/home/share/bash-completion/completions/precedent"

# A damaged archive and a missing version install nothing.
rm -rf "$work/home"
printf x >> "$release/precedent-$target.tar.gz"
if sh install.sh 2> "$work/said"; then exit 1; fi
grep -q "checksum" "$work/said"
if PRECEDENT_VERSION=9.9.9 sh install.sh 2> "$work/said"; then exit 1; fi
grep -q "failed to download" "$work/said"
[ ! -e "$work/home/bin/precedent" ]
echo "install.sh installs, and refuses damaged and missing archives"
