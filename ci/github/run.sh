#!/usr/bin/env bash
# The step of the action that reads the tree: compares, checks and writes the report. Always ends with
# 0; the last step of the action returns the exit code.
#
# Reads the action's inputs as PILLAR_*, and GitHub's own variables.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

if [ -n "${PILLAR_SINCE:-}" ]; then
  PILLAR_BASE=$(git rev-list --max-count=1 --first-parent --before="$PILLAR_SINCE" HEAD)
fi
# A new branch has no earlier state.
case ${PILLAR_BASE:-} in *[!0]*) ;; *) PILLAR_BASE= ;; esac
case ${PILLAR_NAME:-} in
  '' | *[!a-z0-9-]*) echo "::error::the input 'name' may have only lower-case letters, digits and '-'"; exit 1 ;;
esac
case ${PILLAR_CONFIGURATION:-} in
  base | head) ;;
  '')
    PILLAR_CONFIGURATION='head'
    if [ "${PILLAR_IS_FORK:-}" = true ]; then PILLAR_CONFIGURATION='base'; fi
    ;;
  *) echo "::error::the input 'configuration' is base or head"; exit 1 ;;
esac
PILLAR_FORMS=github
PILLAR_LINK=$GITHUB_SERVER_URL/$GITHUB_REPOSITORY/actions/runs/$GITHUB_RUN_ID
export PILLAR_BASE PILLAR_CONFIGURATION PILLAR_FORMS PILLAR_LINK

rm -rf "$PILLAR_OUT"
bash "$here/../steps/run.sh"

if [ -f "$PILLAR_OUT/summary.md" ]; then cat "$PILLAR_OUT/summary.md" >>"$GITHUB_STEP_SUMMARY"; fi
{
  echo "outcome=$(cat "$PILLAR_OUT/outcome")"
  echo "exit-code=$(cat "$PILLAR_OUT/code")"
  if [ -d "$PILLAR_OUT/comment" ]; then echo "comment=true"; fi
} >>"$GITHUB_OUTPUT"
