"""Which clusters that a change takes away still stand: their blueprints are read from the version before it.

    python -I -m clusterprint.gitops.still_deployed BASE FILES

BASE is a commit, FILES a list of blueprints in it, as JSON. CLUSTERPRINT is the command that looks, with
`down --plan-only --read-only`; what it says goes to standard error. Prints the files whose clusters stand,
as JSON.

Exit codes: 0 done; 2 wrong usage; 3 not all could be asked, and these count as standing.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

from clusterprint.errors import ClusterprintError, UsageError
from clusterprint.revision import at_revision

_GONE, _STANDS = 0, 4  # of `down --plan-only`


def standing(base: str, files: list[str], command: str) -> tuple[list[str], bool]:
    """The files whose clusters stand or could not be asked for, and whether all could be."""
    found, asked = [], True
    for file in files:
        with at_revision(base, [Path(file)]) as earlier:
            if not earlier.paths:
                raise UsageError(f"{file} is not in {base}")
            words = [command, "down", "--plan-only", "--read-only", "--", str(earlier.paths[0])]
            # A list of words, no shell; the command is the one that install.sh made.
            done = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=sys.stderr, check=False)  # noqa: S603
        if done.returncode != _GONE:
            found.append(file)
        asked = asked and done.returncode in (_GONE, _STANDS)
    return found, asked


def main() -> int:
    """Run the command; its exit code."""
    try:
        base, given = sys.argv[1:]
        files = json.loads(given)
        if not (isinstance(files, list) and all(isinstance(each, str) for each in files)):
            raise UsageError("FILES is not a list of texts")
        found, asked = standing(base, files, os.environ.get("CLUSTERPRINT") or "clusterprint")
    except ClusterprintError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    except (ValueError, OSError) as error:
        sys.stderr.write(f"error: {error}\n")
        return 2
    sys.stdout.write(f"{json.dumps(found)}\n")
    return 0 if asked else 3


if __name__ == "__main__":
    sys.exit(main())
