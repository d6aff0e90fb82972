#!/bin/sh
# The steps of the image. The Dockerfile runs them in / and check.sh in a temporary folder.
#   image.sh build OUT               builds the program into the folder OUT, with this script
#   image.sh install PROGRAM ROOT    puts the program, its user and the folders of that user into the file system at ROOT
set -eu

user=precedent
id=1000

build() {
    out="$1"
    mkdir -p "$out"
    # The profile strips the symbols.
    cargo build --locked --profile dist --package precedent-cli
    cp target/dist/precedent packaging/image.sh "$out"
}

install_in() {
    program="$1" root="${2%/}"
    mkdir -p "$root/usr/local/bin" "$root/etc"
    cp "$program" "$root/usr/local/bin/precedent"
    chmod 755 "$root/usr/local/bin/precedent"
    # Not with useradd, which cannot work in a folder without an account database.
    for file in passwd group; do
        touch "$root/etc/$file"
        ! grep -q "^$user:" "$root/etc/$file" || { echo "image.sh: $root/etc/$file has the user $user" >&2; exit 1; }
    done
    echo "$user:x:$id:$id::/data:/usr/sbin/nologin" >> "$root/etc/passwd"
    echo "$user:x:$id:" >> "$root/etc/group"
    # /work is where users mount their papers, /data where a server keeps its runs. A new volume gets the owner of its folder.
    mkdir -p "$root/work" "$root/data"
    chown "$id:$id" "$root/work" "$root/data"
}

case "${1:-} $#" in
    "build 2") build "$2" ;;
    "install 3") install_in "$2" "$3" ;;
    *) sed -n '2,4s/^# \{0,1\}//p' "$0" >&2; exit 2 ;;
esac
