#!/bin/sh
# Packs a program for install.sh: archive.sh PROGRAM TARGET OUT writes OUT/precedent-TARGET.tar.gz and its checksum.
set -eu
[ $# = 3 ] || { echo "usage: archive.sh PROGRAM TARGET OUT" >&2; exit 2; }
program="$1" target="$2" out="$3"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
out="$(cd "$out" && pwd)"
files="$work/precedent-$target"
root="$(cd "$(dirname "$0")/.." && pwd)"
mkdir -p "$files/completions"
cp "$program" "$files/precedent"
(cd "$root" && cp LICENSE-APACHE LICENSE-MIT README.md CHANGELOG.md "$files")
"$program" manual "$files/man"
"$program" completions bash > "$files/completions/precedent.bash"
"$program" completions zsh > "$files/completions/_precedent"
"$program" completions fish > "$files/completions/precedent.fish"
tar -C "$work" -czf "$out/precedent-$target.tar.gz" "precedent-$target"
cd "$out"
if command -v sha256sum >/dev/null; then
    sha256sum "precedent-$target.tar.gz" > "precedent-$target.tar.gz.sha256"
else
    shasum -a 256 "precedent-$target.tar.gz" > "precedent-$target.tar.gz.sha256"
fi
