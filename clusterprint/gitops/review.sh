#!/usr/bin/env bash
# Reviews against the base, in all forms, and puts the report into the summary of the job. When there is none,
# the report says why: whatever happens, review.md is there for the comment.
#
#   CLUSTERPRINT, PYTHON   the commands that install.sh made
#   FOLDER                 where the reports go: review.md, review.html, review.json
#   BLUEPRINTS, POLICY, ALLOW                see action.yml
#   BASE, BASE_COMMIT, TOKEN, SERVER         see base.py
#   LABELS, LABEL_PREFIX                     JSON list of labels, and what those begin with that lift a rule
set -euo pipefail
token="${TOKEN-}"
unset TOKEN # for fetching the base, and nothing else

mapfile -t paths < <(grep -v '^[[:space:]]*$' <<< "$BLUEPRINTS")
options=()
if [ -n "$POLICY" ]; then options+=(--policy "$POLICY"); fi

while IFS= read -r name; do
  if [ -n "$name" ]; then options+=("--allow=$name"); fi
done < <(grep -v '^[[:space:]]*$' <<< "$ALLOW" || true)

labels() {
  "$PYTHON" -c '
import json, sys
prefix, names = sys.argv[1], json.loads(sys.argv[2] or "null") or []
print(*(name for name in names if prefix and name.startswith(prefix)), sep="\n")
' "$LABEL_PREFIX" "$LABELS"
}
while IFS= read -r name; do
  if [ -n "$name" ]; then options+=("--label=$name"); fi
done < <(labels)
if [ -n "$LABEL_PREFIX" ]; then options+=("--label-prefix=$LABEL_PREFIX"); fi

for form in md html json; do options+=(--out "$FOLDER/review.$form"); done
said="$FOLDER/said.txt"

# What is said meanwhile may quote a blueprint: nothing in it is a command to the runner.
silence="$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
echo "::stop-commands::$silence"
code=0
base="$(TOKEN="$token" "$PYTHON" -m clusterprint.gitops.base 2> "$said")" || code=$?
if [ "$code" = 0 ]; then
  "$CLUSTERPRINT" review --base "$base" "${options[@]}" -- "${paths[@]}" 2> "$said" || code=$?
fi
cat "$said"
echo "::$silence::"

changed=true
if [ "$code" = 0 ]; then changed=false; fi
{ echo "code=$code"; echo "changed=$changed"; } >> "$GITHUB_OUTPUT"
if [ ! -s "$FOLDER/review.md" ]; then
  "$PYTHON" -m clusterprint.gitops.failure --code "$code" "$said" "$FOLDER/review.md"
fi
rm -f "$said"
cat "$FOLDER/review.md" >> "$GITHUB_STEP_SUMMARY"
