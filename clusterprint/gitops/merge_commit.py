"""The commit that merging a pull request now would make: prints it. Nothing of it is checked out.

    python -I -m clusterprint.gitops.merge_commit refs/pull/7/head

In GitLab the name is refs/merge-requests/7/head. It is fetched from `origin`.

    TOKEN, SERVER  for fetching from a private repository of GitHub

Exit codes: 0 there is a commit; 2 it cannot be merged as it is; 3 it cannot be fetched, or git fails.
"""

import os
import re
import sys
from collections.abc import Mapping

from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.git.repository import Repository
from clusterprint.gitops.base import say_commit, token_header

_REQUEST = re.compile(r"refs/(?:pull|merge-requests)/([1-9][0-9]{0,9})/head")


def merge(around: Repository, reference: str, environment: Mapping[str, str]) -> str:
    """The merge of a request into what is checked out. Raises UsageError if there is none."""
    request = _REQUEST.fullmatch(reference)
    if request is None:
        raise UsageError("this is not the number of a pull or merge request")
    if not around.fetch(reference, token_header(environment), whole=True):
        raise EnvironmentFailure(f"request {request[1]} could not be fetched: is there one of this number?")
    merged = around.merged("HEAD", "FETCH_HEAD")
    if not merged:
        raise UsageError(f"request {request[1]} cannot be merged as it is: bring it up to date first")
    return merged


def main() -> int:
    """Run the command; its exit code."""
    reference = " ".join(sys.argv[1:])
    return say_commit(lambda around: merge(around, reference, os.environ))


if __name__ == "__main__":
    sys.exit(main())
