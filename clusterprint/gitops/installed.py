"""Which repository and revision the running clusterprint was installed from, where that is known.

https://packaging.python.org/en/latest/specifications/direct-url/ says what pip records.
"""

import json
import os
import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

from clusterprint.errors import EnvironmentFailure
from clusterprint.git.process import run

_DISTRIBUTIONS = ("clusterprint", "clusterprint-core")
_REMOTE = re.compile(
    r"(?:https://|ssh://|git\+)*(?:[^@/]+@)?(?P<host>[A-Za-z0-9][A-Za-z0-9.-]*)(?::\d+)?[:/](?P<path>.+?)(?:\.git)?/?"
)
_TREE = re.compile(r"Source, (?P<url>https://.+?)/tree/(?P<revision>.+)")


def installed_from() -> str:
    """`OWNER/REPO@REVISION` on GitHub, `https://HOST/PATH@REVISION` elsewhere; empty if it is not known."""
    for name in _DISTRIBUTIONS:
        try:
            found = _recorded(distribution(name))
        except PackageNotFoundError:
            continue
        if found:
            return found
    return of_checkout(Path(__file__).resolve().parents[2])


def _recorded(package: Distribution) -> str:
    """The origin that pip, or the workflow of a release, records of an installation from a repository."""
    direct = json.loads(package.read_text("direct_url.json") or "{}")
    if "vcs_info" in direct:
        return _named(direct["url"], direct["vcs_info"]["commit_id"])
    if direct:  # a folder or a file: nothing is known of its revision
        return ""
    links = map(_TREE.fullmatch, package.metadata.get_all("Project-URL") or [])
    return next((_named(link["url"], link["revision"]) for link in links if link), "")


def of_checkout(root: Path) -> str:
    """The commit of the checkout that this file lies in, if a branch of its remote has it."""
    if not (root / ".git").exists():
        return ""
    try:
        url, commit, pushed = (
            os.fsdecode(run(root, words).stdout).strip()
            for words in (
                ("config", "--get", "remote.origin.url"),
                ("rev-parse", "--verify", "--quiet", "HEAD"),
                ("for-each-ref", "--contains", "HEAD", "--count=1", "refs/remotes/origin"),
            )
        )
    except EnvironmentFailure:
        return ""
    return _named(url, commit) if pushed else ""


def _named(url: str, revision: str) -> str:
    """A repository and a revision as `--source` takes them; credentials in the address are left out."""
    remote = _REMOTE.fullmatch(url)
    if remote is None or "." not in remote["host"]:
        return ""
    host = "" if remote["host"] == "github.com" else f"https://{remote['host']}/"
    return f"{host}{remote['path']}@{revision}"
