#!/usr/bin/env bash
# The script of the job `pages`: the report of the default branch, in public/.
#
#   pages.sh HOME    a folder outside the tree, with the checkout of pillarbook in it
set -euo pipefail

home=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

export PILLAR_VENV=${PILLAR_VENV:-$home/venv}
if [ ! -d "$PILLAR_VENV" ]; then bash "$here/../install.sh"; fi
"$PILLAR_VENV/bin/pillarbook" build --config-file "$PILLAR_CONFIG" --site-dir "$home/site"
rm -rf public
cp -R "$home/site" public
