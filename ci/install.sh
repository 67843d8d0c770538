#!/usr/bin/env bash
# Installs pillarbook from the checkout that this script lies in, into a virtual environment.
#
#   PILLAR_VENV     the virtual environment, made here
#   PILLAR_EXTRAS   extras such as nacl,reclass; empty for none
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
package=$root${PILLAR_EXTRAS:+[$PILLAR_EXTRAS]}

if command -v uv >/dev/null; then
  uv venv --quiet --clear --no-project --python '>=3.11' "$PILLAR_VENV"
  uv pip install --quiet --python "$PILLAR_VENV/bin/python" "$package"
elif python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))'; then
  python3 -m venv --clear "$PILLAR_VENV"
  "$PILLAR_VENV/bin/pip" install --quiet --disable-pip-version-check "$package"
else
  echo 'pillarbook needs Python 3.11 or later, or uv: put actions/setup-python or another image before it' >&2
  exit 1
fi
"$PILLAR_VENV/bin/pillarbook" --version
