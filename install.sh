#!/bin/sh
# Installs the latest release of Precedent into ~/.local (or $PRECEDENT_PREFIX): the program, completions and manual pages.
# PRECEDENT_VERSION picks a version. PRECEDENT_RELEASES names another server of releases.
set -eu

releases="${PRECEDENT_RELEASES:-https://github.com/precedent-research/precedent/releases}"
prefix="${PRECEDENT_PREFIX:-$HOME/.local}"

fail() { echo "install.sh: $*" >&2; exit 1; }

case "$(uname -s)-$(uname -m)" in
    Linux-x86_64) target=x86_64-unknown-linux-gnu ;;
    Linux-aarch64 | Linux-arm64) target=aarch64-unknown-linux-gnu ;;
    Darwin-x86_64) target=x86_64-apple-darwin ;;
    Darwin-arm64) target=aarch64-apple-darwin ;;
    *) fail "there is no build for $(uname -s) on $(uname -m); build it with: cargo install --path crates/cli" ;;
esac

if command -v curl >/dev/null; then
    fetch() { curl --fail --silent --show-error --location --output "$2" "$1"; }
elif command -v wget >/dev/null; then
    fetch() { wget --quiet --output-document="$2" "$1"; }
else
    fail "curl or wget is needed"
fi

if [ -n "${PRECEDENT_VERSION:-}" ]; then
    base="$releases/download/v$PRECEDENT_VERSION"
else
    base="$releases/latest/download"
fi
archive="precedent-$target.tar.gz"
work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT

fetch "$base/$archive" "$work/$archive" || fail "failed to download $base/$archive"
fetch "$base/$archive.sha256" "$work/$archive.sha256" || fail "failed to download $base/$archive.sha256"
cd "$work"
if command -v sha256sum >/dev/null; then
    actual="$(sha256sum "$archive")"
else
    actual="$(shasum -a 256 "$archive")"
fi
[ "${actual%% *}" = "$(cut -d ' ' -f 1 "$archive.sha256")" ] || fail "the checksum of $archive is wrong; nothing was installed"
tar -xzf "$archive"

cd "precedent-$target"
mkdir -p "$prefix/bin" "$prefix/share/man/man1" "$prefix/share/bash-completion/completions" \
    "$prefix/share/zsh/site-functions" "$prefix/share/fish/vendor_completions.d"
cp man/*.1 "$prefix/share/man/man1/"
cp completions/precedent.bash "$prefix/share/bash-completion/completions/precedent"
cp completions/_precedent "$prefix/share/zsh/site-functions/"
cp completions/precedent.fish "$prefix/share/fish/vendor_completions.d/"
# Renamed into place, so that a running program is not overwritten.
cp precedent "$prefix/bin/.precedent.new"
mv "$prefix/bin/.precedent.new" "$prefix/bin/precedent"

echo "installed $("$prefix/bin/precedent" --version) in $prefix/bin"
case ":$PATH:" in
    *":$prefix/bin:"*) ;;
    *) echo "add $prefix/bin to your PATH" ;;
esac
