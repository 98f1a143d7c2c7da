"""Blueprints that a change touches or removes, for the jobs that apply and destroy.

    python -I -m clusterprint.gitops.changed_blueprints REVIEW.json

REVIEW.json is the report of `clusterprint review --base REV`. Prints two lines for GITHUB_OUTPUT, each a list
as JSON: `changed`, files of the new version, and `removed`, files of the earlier version whose clusters the
new one does not have any more. A cluster that was renamed is both.
"""

import json
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any


def touched(clusters: Iterable[Mapping[str, Any]]) -> dict[str, list[str]]:
    """The files by what happens to their clusters, each once, in order."""
    changed, removed = set(), set()
    for each in clusters:
        if each["status"] == "orphaned" or each["previous_name"]:
            removed.add(each["files"][0])
        if each["status"] not in ("orphaned", "unchanged"):
            changed.add(each["files"][-1])
    return {"changed": sorted(changed), "removed": sorted(removed)}


def main() -> int:
    """Run the command; its exit code."""
    try:
        (file,) = sys.argv[1:]
        found = touched(json.loads(Path(file).read_text("utf-8"))["clusters"])
    except (OSError, ValueError, LookupError, TypeError) as error:
        sys.stderr.write(f"error: there is no report of a review to read: {error}\n")
        return 2
    sys.stdout.write("".join(f"{name}={json.dumps(files)}\n" for name, files in found.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
