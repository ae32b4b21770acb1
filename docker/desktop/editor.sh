#!/usr/bin/env bash
# Fetches the code editor of the target `full` from the package index, as editor/package-lock.json pins it, and lays it into a folder for the build. Usage: editor.sh [FOLDER]
# Runs on the machine that builds, with Node's npm. No script of the packages is run; what a desktop without network does not use is left out.
set -euo pipefail
here="$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)"
folder="${1:-$here/wheels}"
lock="$here/editor/package-lock.json"

if [ -f "$folder/editor.tar.gz" ] && cmp -s -- "$lock" "$folder/editor.lock"; then exit 0; fi
command -v npm >/dev/null || { echo "npm is missing, with which the editor is fetched." >&2; exit 1; }

work="$(mktemp -d)"
trap 'rm -rf "$work"' EXIT
cp "$here/editor/package.json" "$lock" "$work"
flags=(--ignore-scripts --engine-strict=false --no-audit --no-fund --no-progress)
echo "The editor's server"
(cd "$work" && npm ci "${flags[@]}" >&2)
code="$work/node_modules/code-server"
echo "The editor itself"
(cd "$code/lib/vscode" && npm install --omit=dev "${flags[@]}" >&2)

cd "$code/lib/vscode"
rm -rf node_modules/@github node_modules/@microsoft/mxc-sdk node_modules/@vscode/windows-process-tree extensions/copilot extensions/github* extensions/microsoft-authentication extensions/mermaid-*
find node_modules/node-pty/prebuilds -mindepth 1 -maxdepth 1 ! -name 'linux-x64' ! -name 'linux-arm64' -exec rm -rf {} +
find node_modules/@vscode/ripgrep-universal/bin -mindepth 1 -maxdepth 1 ! -name 'linux-x64' ! -name 'linux-arm64' -exec rm -rf {} +
find "$work/node_modules" -name '*.map' -delete
install -d "$work/editor/bin"
mv "$work"/node_modules/node-linux-*/bin/node "$work/editor/bin/node"
rm -rf "$work"/node_modules/node-linux-*
mv "$work/node_modules" "$work/editor/node_modules"

echo "Packing"
install -d "$folder"
tar -C "$work/editor" --owner=0 --group=0 -czf "$folder/editor.tar.gz.new" .
mv -f "$folder/editor.tar.gz.new" "$folder/editor.tar.gz"
cp "$lock" "$folder/editor.lock"
