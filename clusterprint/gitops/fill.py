"""The workflows that a repository of blueprints needs, with its own values filled in.

The templates are the files in `templates/`, complete but for words like `__BLUEPRINTS__`. What they are
filled with is checked to be harmless in YAML and in a shell, so filling in is all there is to it.
"""

import os
import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.files import safe_write

_FOLDER = Path(__file__).resolve().parent / "templates"
_GITHUB = "https://github.com/"

_SOURCE = re.compile(
    r"(?:https://)?(?P<path>[A-Za-z0-9][A-Za-z0-9._-]*(?:/[A-Za-z0-9][A-Za-z0-9._-]*)+)@(?P<rev>[A-Za-z0-9][A-Za-z0-9._/-]*)"
)
_PATH = re.compile(r"[A-Za-z0-9._][A-Za-z0-9._-]*(?:/[A-Za-z0-9._][A-Za-z0-9._-]*)*")
# What documentation writes in place of a value: nothing is installed from there.
_PLACEHOLDER = re.compile(r"\b(?:OWNER|REPO|REPOSITORY|HOST|PATH|REV|REVISION)\b")
_BRANCH = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]*")


class Template(NamedTuple):
    """A file of ours, where it goes in a repository, and what is left for people to do."""

    file: str
    target: str
    next: str


#: By the tool that reads them; in the order in which they are listed.
TEMPLATES: dict[str, tuple[Template, ...]] = {
    "github": (
        Template(
            "github/clusterprint.yaml",
            ".github/workflows/clusterprint.yaml",
            "commit it: the next pull request that touches a blueprint gets its comment",
        ),
        Template(
            "github/clusterprint-plan.yaml",
            ".github/workflows/clusterprint-plan.yaml",
            "set the two variables of the repository that it names; until then it does not run",
        ),
        Template(
            "github/clusterprint-drift.yaml",
            ".github/workflows/clusterprint-drift.yaml",
            "it runs each night once the same two variables are set; let the account trust its environment",
        ),
        Template(
            "github/clusterprint-apply.yaml",
            ".github/workflows/clusterprint-apply.yaml",
            "make the environment clusterprint-apply, with reviewers and for the main branch only, and the "
            "account that trusts it; then set the variable GCP_APPLY_SERVICE_ACCOUNT: docs/gitops.md has the "
            "commands",
        ),
        Template(
            "github/clusterprint-destroy.yaml",
            ".github/workflows/clusterprint-destroy.yaml",
            "the same with the environment clusterprint-destroy and the variable GCP_DESTROY_SERVICE_ACCOUNT",
        ),
    ),
    "prove": (
        Template(
            "github/clusterprint-prove.yaml",
            ".github/workflows/clusterprint-prove.yaml",
            "make the environment clusterprint-prove and a project for it, and set the variables that the "
            "file names; until then it does not run",
        ),
    ),
    "gitlab": (
        Template(
            "gitlab/clusterprint.gitlab-ci.yml",
            ".gitlab/clusterprint.gitlab-ci.yml",
            "include it in .gitlab-ci.yml: include: [{local: .gitlab/clusterprint.gitlab-ci.yml}]",
        ),
        Template(
            "gitlab/clusterprint-deploy.gitlab-ci.yml",
            ".gitlab/clusterprint-deploy.gitlab-ci.yml",
            "include it the same way, protect the branch and the environments, and set the variables that it "
            "names: docs/gitops.md has the commands; until then its jobs do not run",
        ),
    ),
    "atlantis": (
        Template(
            "atlantis/repos.yaml",
            "atlantis/repos.yaml",
            "give it to the Atlantis server; its first lines say how the server has to be set up",
        ),
    ),
    "pre-commit": (
        Template(
            "pre-commit/pre-commit-config.yaml",
            ".pre-commit-config.yaml",
            "pip install pre-commit && pre-commit install",
        ),
    ),
}


class Values(NamedTuple):
    """Settings of a repository: where clusterprint comes from, where the blueprints are, the main branch."""

    source: str
    blueprints: str
    branch: str


class Filled(NamedTuple):
    """A template with values, for one repository."""

    template: Template
    text: str


def fill(tools: Iterable[str], values: Values) -> list[Filled]:
    """The files of some tools, filled in. Raises UsageError for a value that cannot be filled in."""
    filled = []
    for tool in dict.fromkeys(tools):
        words = _words(tool, values)
        for template in TEMPLATES[tool]:
            text = (_FOLDER / template.file).read_text("utf-8")
            for word, value in words.items():
                text = text.replace(word, value)
            filled.append(Filled(template, text))
    return filled


def check_filled(source: str) -> None:
    """Raises UsageError for a source that was copied from documentation as it is there."""
    if placeholder := _PLACEHOLDER.search(source):
        raise UsageError(
            f"--source {source!r}: {placeholder[0]} stands for a value of yours: write the repository and "
            "the commit or tag to install clusterprint from"
        )


def check_blueprints(folder: str) -> None:
    """Raises UsageError for a folder of blueprints that a file cannot be filled with."""
    if not _PATH.fullmatch(folder) or ".." in folder.split("/"):
        raise UsageError(
            f"--blueprints {folder!r}: name a folder below the root of the repository, "
            "with letters, digits and . _ - /"
        )


def _words(tool: str, values: Values) -> dict[str, str]:
    source = _SOURCE.fullmatch(values.source)
    if source is None or ".." in values.source:
        raise UsageError(
            f"--source {values.source!r} is not where clusterprint can come from: write "
            "OWNER/REPOSITORY@REVISION for GitHub, or https://HOST/PATH@REVISION"
        )
    address = _GITHUB + source["path"]
    if values.source.startswith("https://"):
        address = f"https://{source['path']}"
    if tool in ("github", "prove") and (not address.startswith(_GITHUB) or address.count("/") != 4):  # noqa: PLR2004
        raise UsageError(
            f"--source {values.source!r} is not on GitHub, and GitHub runs actions from there only: "
            "write OWNER/REPOSITORY@REVISION"
        )
    check_blueprints(values.blueprints)
    if not _BRANCH.fullmatch(values.branch) or ".." in values.branch:
        raise UsageError(f"--branch {values.branch!r} is not the name of a branch that a workflow can watch")
    return {
        "__ACTION__": f"{address.removeprefix(_GITHUB)}@{source['rev']}",
        "__SETUP__": f"{address.removeprefix(_GITHUB)}/setup@{source['rev']}",
        "__REPOSITORY__": address,
        "__REVISION__": source["rev"],
        "__BLUEPRINTS__": values.blueprints,
        "__BRANCH__": values.branch,
    }


def write(filled: Iterable[Filled], folder: Path, *, force: bool) -> list[Path]:
    """Write the files into a repository, and return those that were new or different.

    Each is made aside and moved into place, once all are made. Raises UsageError if a file is there with
    other content and `force` is not given, EnvironmentFailure if writing fails.
    """
    wanted = {folder / each.template.target: each.text.encode() for each in filled}
    for path in wanted:
        safe_write.through_no_link(path.parent, folder)
    different = [path for path, text in wanted.items() if not (path.is_file() and path.read_bytes() == text)]
    in_the_way = [path for path in different if os.path.lexists(path)]
    if in_the_way and not force:
        names = ", ".join(str(path.relative_to(folder)) for path in in_the_way)
        raise UsageError(f"{names}: already exists with other content; use --force to overwrite")
    aside = {path: path.with_name(f".{path.name}.new") for path in different}
    try:
        for path, made in aside.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            made.write_bytes(wanted[path])
        for path, made in aside.items():
            made.replace(path)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write {error.filename or folder}: {error.strerror}") from error
    finally:
        for made in aside.values():
            with suppress(OSError):  # what went wrong is said already
                made.unlink(missing_ok=True)
    return different
