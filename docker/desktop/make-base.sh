#!/usr/bin/env bash
# Makes the base image of the desktop from the distribution's own packages, for hosts that cannot pull one. Usage: make-base.sh [TAG [SUITE]]
set -euo pipefail
tag="${1:-cua-forge-base:bookworm}"
suite="${2:-bookworm}"
mirror="${FORGE_DEBIAN_MIRROR:-http://deb.debian.org}"

[ "$(id -u)" = 0 ] || { echo "make-base.sh needs root, for debootstrap." >&2; exit 1; }
command -v debootstrap >/dev/null || { echo "debootstrap is missing: apt-get install debootstrap" >&2; exit 1; }

folder="$(mktemp -d)"
trap 'rm -rf "$folder"' EXIT
debootstrap --variant=minbase "$suite" "$folder/root" "$mirror/debian"
cat >"$folder/root/etc/apt/sources.list" <<LIST
deb $mirror/debian $suite main
deb $mirror/debian $suite-updates main
deb $mirror/debian-security $suite-security main
LIST
# What Debian's own images have and a fresh root has not: packages are not kept once they are installed.
cat >"$folder/root/etc/apt/apt.conf.d/docker-clean" <<'CONF'
DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/archives/partial/*.deb /var/cache/apt/*.bin || true"; };
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
CONF
rm -rf "$folder/root/var/cache/apt/archives/"*.deb "$folder/root/var/lib/apt/lists/"*
tar -C "$folder/root" -c . | docker import - "$tag"
