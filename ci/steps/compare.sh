#!/usr/bin/env bash
# Writes what a change does to the pillar, in three formats, into PILLAR_OUT:
#
#   summary.md   Markdown for the summary of a job
#   comment.md   the same, within the maximum length of a comment
#   diff.json    pillarbook.diff/1
#
# The base is that of prepare.sh; PILLAR_LINK is the address of the run.
set -euo pipefail

sides=("$(cat "$PILLAR_OUT/base")")
# With the configuration of the base, the head is the working tree.
[ "$PILLAR_CONFIGURATION" = base ] || sides+=(HEAD)

# Differences are expected, so 2 is not a failure.
diff_to() {
  local code=0
  "$PILLAR_VENV/bin/pillarbook" diff "${sides[@]}" --config-file "$PILLAR_CONFIG" "$@" || code=$?
  [ "$code" -eq 0 ] || [ "$code" -eq 2 ] || exit "$code"
}

markdown_to() {
  diff_to --format markdown --limit "$2" --report-url "$PILLAR_LINK" --output "$1"
}

diff_to --format json --output "$PILLAR_OUT/diff.json"
markdown_to "$PILLAR_OUT/summary.md" 921600
# A comment may have 60,000 bytes, including the line about the configuration.
if [ "$(wc -c <"$PILLAR_OUT/summary.md")" -le 59500 ]; then
  cp "$PILLAR_OUT/summary.md" "$PILLAR_OUT/comment.md"
else
  markdown_to "$PILLAR_OUT/comment.md" 59500
fi
if [ -s "$PILLAR_OUT/taken" ]; then
  note='The configuration and the master file are those of the base; what this change makes of them is not in this.'
  printf '\n> %s\n' "$note" | tee -a "$PILLAR_OUT/summary.md" >>"$PILLAR_OUT/comment.md"
fi
