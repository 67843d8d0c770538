#!/usr/bin/env bash
# Finds the commit to compare with, and takes the configuration from it if the head is not trusted.
#
#   PILLAR_BASE            a commit or a branch
#   PILLAR_BASE_NAME       the target branch of a pull request
#   PILLAR_HEAD            the head of the pull request; HEAD may be its merge with the base
#   PILLAR_CONFIG          the MkDocs configuration
#   PILLAR_CONFIGURATION   base: take it, and the master file, from the base; head: as they are
#   PILLAR_OUT             gets `base`, a revision, and `taken`, if the head has another configuration
#
# Runs at the top of the checkout.
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
export GIT_TERMINAL_PROMPT=0

# Fetch more of the history, as git's options say; fail quietly if the remote refuses.
fetch() {
  git fetch --quiet --no-tags --no-recurse-submodules "$@" 2>/dev/null
}

is_here() {
  git rev-parse --quiet --verify --end-of-options "$1^{commit}" 2>/dev/null
}

# The checkout of a pull request is its merge with the base. Its changes are those of that merge,
# whatever was merged after the event.
parent_of_merge() {
  git cat-file commit HEAD | awk -v head="${PILLAR_HEAD:-}" '
    /^$/ { exit }
    /^parent / { parents[++count] = $2 }
    END { if (count == 2 && parents[2] == head) print parents[1] }'
}

find_tip() {
  local merged
  merged=$(parent_of_merge)
  if [ -n "$merged" ]; then
    is_here "$merged" || { fetch --deepen=1 origin "$(git rev-parse HEAD)" && is_here "$merged"; }
    return
  fi
  is_here "$PILLAR_BASE" || is_here "origin/$PILLAR_BASE" ||
    { fetch --depth=1 origin "$PILLAR_BASE" && is_here FETCH_HEAD; }
}

find_base() {
  local tip=$1 head more
  head=$(git rev-parse HEAD)
  for more in '' --deepen=50 --deepen=500 --unshallow; do
    if [ -n "$more" ]; then
      [ "$(git rev-parse --is-shallow-repository)" = true ] || return 1
      fetch "$more" origin "$head" "$tip" || return 1
    fi
    git merge-base "$tip" "$head" && return
  done
  return 1
}

case $PILLAR_BASE in -*) echo 'pillarbook: the base is no revision' >&2; exit 1 ;; esac
if ! { tip=$(find_tip) && base=$(find_base "$tip"); }; then
  echo "pillarbook: this checkout does not reach back to where the change began, and git could not" >&2
  echo "fetch that: check out with 'fetch-depth: 0' (GitHub) or 'GIT_DEPTH: 0' (GitLab)" >&2
  exit 1
fi
named=target/${PILLAR_BASE_NAME:-}
if [ -n "${PILLAR_BASE_NAME:-}" ] && git update-ref "refs/remotes/$named" "$tip" 2>/dev/null; then
  echo "$named" >"$PILLAR_OUT/base" # the same commit, by a name that people know
else
  git rev-parse --short "$base" >"$PILLAR_OUT/base"
fi
if [ "$PILLAR_CONFIGURATION" = base ]; then
  "$PILLAR_VENV/bin/python" "$here/take_configuration.py" "$base" "$PILLAR_CONFIG" >"$PILLAR_OUT/taken"
fi
