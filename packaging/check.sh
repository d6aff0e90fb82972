#!/bin/bash
# Packs a program, serves it on this machine, installs it with install.sh and runs it; then does the steps of the image in a folder and runs the command
# of compose.yaml there: check.sh PROGRAM.
set -euo pipefail
cd "$(dirname "$0")/.."
program="$(realpath "$1")"
work="$(mktemp -d)"
trap 'kill ${server:-} ${served:-} 2>/dev/null || true; rm -rf "$work"' EXIT
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
        faults="$(groff -K utf8 -man -Tutf8 -wall -Wbreak "$page" 2>&1 >/dev/null || true)"
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

# The image: the Dockerfile's own steps, in a folder instead of /.
chmod 755 "$work"
image="$work/image"
if [ "$(id -u)" = 0 ]; then
    packaging/image.sh install "$program" "$image"
    grep -q "^precedent:x:1000:1000::/data:" "$image/etc/passwd"
    # As the image's user, without root's rights.
    as_user=(setpriv --reuid 1000 --regid 1000 --clear-groups --no-new-privs --bounding-set -all)
    if "${as_user[@]}" touch "$image/usr/local/bin/precedent" 2>/dev/null; then exit 1; fi
    cp examples/paper.pdf "$image/work"
    cp -r examples/works "$work/library"
    chmod -R a+rX "$image/work" "$work/library"
    (cd "$image/work"
        HOME=/tmp "${as_user[@]}" "$image/usr/local/bin/precedent" assess paper.pdf --corpus "$work/library" --out run --quiet
        [ -s run/report.html ])
    # The command of compose.yaml, on a free port, with the folder instead of the volume.
    readarray -t serve < <(python3 - "$image" "$work/library" <<'END'
import json, re, sys
line = re.search(r"command: (\[.*\])", open("packaging/compose.yaml").read()).group(1)
for word in json.loads(line):
    word = word.replace("127.0.0.1:8787", "127.0.0.1:0").replace("/data/", sys.argv[1] + "/data/")
    print(sys.argv[2] if word == "/library" else word)
END
    )
    HOME="$image/data" "${as_user[@]}" "$image/usr/local/bin/precedent" "${serve[@]}" > "$work/said" 2>&1 &
    served=$!
    for _ in $(seq 100); do
        address="$(sed -n 's/^http:/http:/p' "$work/said")"
        [ -n "$address" ] && break
        sleep 0.1
    done
    curl --fail --silent "$address/api/v1/corpora" | grep -q '"library"'
    kill "$served"
    wait "$served"
    [ -d "$image/data/server/runs" ]
    echo "the image's steps make a program that its user can run and serve"
else
    echo "skipped: the steps of the image need root"
fi
