#!/usr/bin/env bash
# Installs pillarbook from the checkout of this script into a virtual environment.
#
#   PILLAR_VENV     the virtual environment to create
#   PILLAR_EXTRAS   extras such as nacl,reclass; empty for none
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
package=$root${PILLAR_EXTRAS:+[$PILLAR_EXTRAS]}

# The locked versions, also for the packages that build pillarbook.
export PIP_CONSTRAINT=$root/ci/constraints.txt UV_CONSTRAINT=$root/ci/constraints.txt
export UV_BUILD_CONSTRAINT=$root/ci/constraints.txt

# The current folder is a stranger's tree: Python and uv must not load files from it.
if command -v uv >/dev/null; then
  uv venv --no-config --quiet --clear --no-project --python '>=3.11' "$PILLAR_VENV"
  uv pip install --no-config --quiet --python "$PILLAR_VENV/bin/python" "$package"
elif python3 -I -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  python3 -I -m venv --clear "$PILLAR_VENV"
  "$PILLAR_VENV/bin/python" -I -m pip install --quiet --disable-pip-version-check "$package"
else
  echo 'pillarbook needs Python 3.11 or later, or uv: put actions/setup-python or another image before it' >&2
  exit 1
fi
"$PILLAR_VENV/bin/pillarbook" --version
