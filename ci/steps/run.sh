#!/usr/bin/env bash
# Compares a change with its base, lists errors, and writes the report. Always ends with 0: the
# exit code of the job is in PILLAR_OUT/code, so that the job can save the results first.
#
#   PILLAR_VENV            the virtual environment of pillarbook
#   PILLAR_OUT             an empty folder for the results, outside the tree
#   PILLAR_CONFIG          the MkDocs configuration
#   PILLAR_BASE            what to compare with; if empty, compare nothing
#   PILLAR_BASE_NAME       its name for people: the target branch of the change
#   PILLAR_HEAD            the commit of the comment
#   PILLAR_CONFIGURATION   base or head: which configuration to use
#   PILLAR_FAIL_ON         new-failure, error, warning, note or none
#   PILLAR_FORMS           forms of `check`, each as FORM or FORM:FILE
#   PILLAR_SITE            true: write the report
#   PILLAR_LINK            the address of the run
#   PILLAR_MERGED          true: the whole tree is merged, so the job's trust applies
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
mkdir -p "$PILLAR_OUT"

random_hex() {
  od -An -tx1 -N32 /dev/urandom | tr -d ' \n'
}

# Comment, summary and report of one run have the same tokens.
PILLARBOOK_TOKEN_KEY=${PILLARBOOK_TOKEN_KEY:-$(random_hex)}
# Accept a checkout of any owner.
GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=safe.directory GIT_CONFIG_VALUE_0=$PWD
export PILLARBOOK_TOKEN_KEY GIT_CONFIG_COUNT GIT_CONFIG_KEY_0 GIT_CONFIG_VALUE_0
# Somebody who can add plain YAML to a run with keys can test guesses. So a tree that is not merged
# gets no trust and no keys, whatever the job permits.
if [ "${PILLAR_MERGED:-}" != true ] || [ "$PILLAR_CONFIGURATION" = base ]; then unset PILLARBOOK_TRUST; fi

# A runner executes some lines of a log as commands: no lines from a tree.
quoted() {
  local word code=0
  word=$(random_hex)
  if [ "${GITHUB_ACTIONS:-}" = true ]; then echo "::stop-commands::$word"; fi
  "$@" 2>&1 || code=$?
  if [ "${GITHUB_ACTIONS:-}" = true ]; then echo "::$word::"; fi
  return "$code"
}

# The worst of some exit codes.
worst_of() {
  local code
  for code in 3 1 2; do
    case " $* " in *" $code "*) echo "$code"; return ;; esac
  done
  echo 0
}

check() {
  local form severity=$PILLAR_FAIL_ON code codes=()
  case $severity in new | new-failure | never | none) severity=error ;; esac
  for form in $PILLAR_FORMS; do
    code=0
    "$PILLAR_VENV/bin/pillarbook" check --config-file "$PILLAR_CONFIG" --fail-on "$severity" \
      --format "${form%%:*}" --output "$PILLAR_OUT/check.out" 2>"$PILLAR_OUT/check.log" || code=$?
    if [ -s "$PILLAR_OUT/check.log" ]; then quoted cat "$PILLAR_OUT/check.log"; fi
    case $form in
      *:*) if [ -f "$PILLAR_OUT/check.out" ]; then mv "$PILLAR_OUT/check.out" "$PILLAR_OUT/${form#*:}"; fi ;;
      github) if [ -f "$PILLAR_OUT/check.out" ]; then cat "$PILLAR_OUT/check.out"; fi ;;
      *) if [ -f "$PILLAR_OUT/check.out" ]; then quoted cat "$PILLAR_OUT/check.out"; fi ;;
    esac
    rm -f "$PILLAR_OUT/check.out" "$PILLAR_OUT/check.log"
    case $code in 0 | 2 | 3) codes+=("$code") ;; *) codes+=(1) ;; esac
  done
  return "$(worst_of "${codes[@]}")"
}

case $PILLAR_FAIL_ON in
  new-failure | error | warning | note | none | new | never) ;;
  *) echo 'pillarbook: fail-on is new-failure, error, warning, note or none' >&2; exit 1 ;;
esac

compared=- checked=- built=-
if [ -n "${PILLAR_BASE:-}" ]; then
  compared=0
  quoted bash "$here/prepare.sh" || compared=1
fi
# Without the base, only a stranger's configuration would be left.
if [ "$compared" = 1 ] && [ "$PILLAR_CONFIGURATION" = base ]; then
  "$PILLAR_VENV/bin/python" "$here/conclude.py" "$compared" "$checked" "$built"
  exit 0
fi
if [ "$compared" = 0 ]; then
  quoted bash "$here/compare.sh" || compared=$?
fi
checked=0
check || checked=$?
if [ "${PILLAR_SITE:-}" = true ]; then
  built=0
  quoted "$PILLAR_VENV/bin/pillarbook" build --config-file "$PILLAR_CONFIG" --site-dir "$PILLAR_OUT/site" || built=$?
fi
"$PILLAR_VENV/bin/python" "$here/conclude.py" "$compared" "$checked" "$built"
