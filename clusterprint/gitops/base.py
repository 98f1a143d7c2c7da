"""The commit that CI compares a change with: prints one that exists.

    python -I -m clusterprint.gitops.base

    BASE           a revision that was asked for, or empty
    BASE_COMMIT    what the event says: the tip of the target branch, or what was there before the push
    TOKEN, SERVER  for fetching from a private repository, if there is something to fetch

Exit codes: 0 there is a commit; 2 there is none, and nothing may be compared; 3 git does not work.
"""

import base64
import os
import re
import sys
from collections.abc import Callable, Mapping

from clusterprint.errors import ClusterprintError, UsageError
from clusterprint.git.repository import Repository, repository

_COMMIT = re.compile(r"[0-9a-f]{40,64}")


def find_base(around: Repository, environment: Mapping[str, str]) -> str:
    """The commit to compare with, never an empty one. Raises UsageError if there is none."""
    wanted, event = environment.get("BASE", ""), environment.get("BASE_COMMIT", "")
    if wanted:
        found = around.commit(wanted) or around.commit(f"origin/{wanted}")
        if not found:
            raise UsageError(
                f"the base '{re.sub('[^A-Za-z0-9._/-]', '?', wanted)}' is not a revision of this checkout"
            )
        return found
    if around.commit("HEAD^2"):  # the merge commit of a pull request, made by the forge
        return _needed(around.commit("HEAD^1"))
    if _COMMIT.fullmatch(event) and event.strip("0"):  # all zeros is the first push of a branch
        if not around.commit(event):
            around.fetch(event, token_header(environment))
        return _needed(around.merge_base(event, "HEAD") or around.commit(event))
    return _needed(around.commit("HEAD^1"))


def _needed(commit: str) -> str:
    if not commit:
        raise UsageError("there is nothing to compare with: check out with fetch-depth: 2, or give a base")
    return commit


def token_header(environment: Mapping[str, str]) -> tuple[str, str] | None:
    """The setting that git sends a token of GitHub by, as a name and a value; None without one."""
    token, server = environment.get("TOKEN", ""), environment.get("SERVER", "")
    if not (token and server.startswith("https://")):
        return None
    value = base64.b64encode(f"x-access-token:{token}".encode()).decode()
    return f"http.{server}/.extraheader", f"Authorization: basic {value}"


def main() -> int:
    """Run the command; its exit code."""
    return say_commit(lambda around: find_base(around, os.environ))


def say_commit(find: Callable[[Repository], str]) -> int:
    """Print the commit that is found in the checkout here; the exit code of that."""
    try:
        around = repository()
        if around is None:
            raise UsageError("there is no checkout here: check out the repository first")
        commit = find(around)
    except ClusterprintError as error:
        sys.stderr.write(f"error: {error}\n")
        return error.exit_code
    sys.stdout.write(f"{commit}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
