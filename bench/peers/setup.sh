#!/usr/bin/env bash
# Make the environment of one peer, with the versions in requirements/PEER.txt: setup.sh PEER
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
peer=${1:?"usage: setup.sh gnubg_nn | open_spiel | pgx | nard_backgammon"}
pinned="$here/requirements/$peer.txt"
[ -f "$pinned" ] || { echo "setup.sh: no peer $peer" >&2; exit 2; }
home="$here/../../.benchmarks/peers/$peer"
if cmp -s "$pinned" "$home/installed.txt"; then
    exit
fi
rm -rf "$home"
"${PYTHON:-python3}" -m venv "$home"
"$home/bin/python" -m pip install --quiet --no-deps -r "$pinned"
cp "$pinned" "$home/installed.txt"
