#!/usr/bin/env bash
# Reviews against the base, in all forms, and puts the report into the summary of the job.
#
#   CLUSTERPRINT, PYTHON   the commands
#   FOLDER                 where the reports go: review.md, review.html, review.json
#   BLUEPRINTS, BASE, POLICY, ALLOW          see action.yml
#   LABELS, LABEL_PREFIX                     JSON list of labels, and what those begin with that lift a rule
set -euo pipefail

mapfile -t paths < <(grep -v '^[[:space:]]*$' <<< "$BLUEPRINTS")
options=(--base "$BASE")

if [ -n "$POLICY" ]; then options+=(--policy "$POLICY"); fi

labels() {
  "$PYTHON" -I -c '
import json, sys
prefix, names = sys.argv[1], json.loads(sys.argv[2] or "null") or []
print(*(name[len(prefix):] for name in names if prefix and name.startswith(prefix)), sep="\n")
' "$LABEL_PREFIX" "$LABELS"
}
while IFS= read -r name; do
  if [ -n "$name" ]; then options+=("--allow=$name"); fi
done < <(grep -v '^[[:space:]]*$' <<< "$ALLOW" || true; labels)

# What is said meanwhile may quote a blueprint: nothing in it is a command to the runner.
silence="$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')"
echo "::stop-commands::$silence"
code=0
for form in md html json; do options+=(--out "$FOLDER/review.$form"); done
"$CLUSTERPRINT" review "${options[@]}" -- "${paths[@]}" || code=$?
echo "::$silence::"

changed=true
if [ "$code" = 0 ]; then changed=false; fi
{ echo "code=$code"; echo "changed=$changed"; } >> "$GITHUB_OUTPUT"
if [ ! -s "$FOLDER/review.md" ]; then
  echo "::error title=clusterprint::there is no report: the review ended with exit code $code"
  exit "$code"
fi
cat "$FOLDER/review.md" >> "$GITHUB_STEP_SUMMARY"
