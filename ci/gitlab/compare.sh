#!/usr/bin/env bash
# The script of the job `pillar compare`: writes its results to pillarbook-result/, with the exit code.
#
#   compare.sh HOME    a folder outside the tree, with the checkout of pillarbook in it
set -euo pipefail

home=$1
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
result=pillarbook-result

export PILLAR_VENV=${PILLAR_VENV:-$home/venv} PILLAR_OUT=$home/out
if [ ! -d "$PILLAR_VENV" ]; then bash "$here/../install.sh"; fi

PILLAR_BASE=${CI_MERGE_REQUEST_TARGET_BRANCH_SHA:-$CI_MERGE_REQUEST_DIFF_BASE_SHA}
PILLAR_BASE_NAME=$CI_MERGE_REQUEST_TARGET_BRANCH_NAME
# In a pipeline for merged results, the commit is the merge commit.
PILLAR_HEAD=${CI_MERGE_REQUEST_SOURCE_BRANCH_SHA:-$CI_COMMIT_SHA}
PILLAR_CONFIGURATION='head'
if [ "${CI_MERGE_REQUEST_SOURCE_PROJECT_ID:-}" != "$CI_MERGE_REQUEST_PROJECT_ID" ]; then
  PILLAR_CONFIGURATION='base'
fi
PILLAR_MERGED=
PILLAR_FORMS='text gitlab:codequality.json junit:junit.xml'
PILLAR_SITE=true
PILLAR_LINK=$CI_PIPELINE_URL
export PILLAR_BASE PILLAR_BASE_NAME PILLAR_HEAD PILLAR_CONFIGURATION PILLAR_MERGED PILLAR_FORMS PILLAR_SITE PILLAR_LINK

rm -rf "$PILLAR_OUT"
bash "$here/../steps/run.sh"

# The tree may contain this name, even as a link.
rm -rf "$result"
mkdir "$result"
for name in comment site codequality.json junit.xml diff.json summary.md; do
  if [ -e "$PILLAR_OUT/$name" ]; then cp -R "$PILLAR_OUT/$name" "$result/"; fi
done
exit "$(cat "$PILLAR_OUT/code")"
