#!/usr/bin/env bash
# What a change is compared with, as a commit that is there: `commit=...` for the next steps.
#
#   BASE          a revision that was asked for, or empty
#   BASE_COMMIT   what the event says: the tip of the target branch, or what was there before the push
#   TOKEN, SERVER for fetching from a private repository, if there is something to fetch
set -euo pipefail

there() { git rev-parse --verify --quiet --end-of-options "$1^{commit}"; }

fetch() {
  # The token travels in the environment, not among the arguments that every process can list.
  local header
  header="$(printf 'x-access-token:%s' "$TOKEN" | base64 | tr -d '\n')"
  GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0="http.$SERVER/.extraheader" GIT_CONFIG_VALUE_0="Authorization: basic $header" \
    git fetch --quiet --no-tags --depth=1 origin "$1"
}

# Empty, all zeros (the first push of a branch), or a commit.
known() { [[ "$1" =~ ^[0-9a-f]{40,64}$ && ! "$1" =~ ^0+$ ]]; }

commit=""
if [ -n "$BASE" ]; then
  commit="$(there "$BASE" || there "origin/$BASE")" || {
    echo "::error title=clusterprint::the base '${BASE//[^A-Za-z0-9._\/-]/?}' is no revision of this checkout"
    exit 2
  }
elif there 'HEAD^2' > /dev/null; then
  commit="$(there 'HEAD^1')"
elif known "$BASE_COMMIT"; then
  there "$BASE_COMMIT" > /dev/null || fetch "$BASE_COMMIT"
  commit="$(git merge-base "$BASE_COMMIT" HEAD || there "$BASE_COMMIT")"
elif there 'HEAD^1' > /dev/null; then
  commit="$(there 'HEAD^1')"
else
  echo "::error title=clusterprint::there is nothing to compare with: check out with fetch-depth: 2, or give a base"
  exit 2
fi
echo "commit=$commit" >> "$GITHUB_OUTPUT"
