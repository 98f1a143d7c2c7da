"""`clusterprint policy`: test clusters against policies."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import FORMAT, say
from clusterprint.cli.report import exit_code, print_report, utf8
from clusterprint.examine import Examined
from clusterprint.words import counted

if TYPE_CHECKING:
    from clusterprint.review.model import PolicyFinding
    from clusterprint.review.policy.find import Policies

_VIOLATED = 5


@click.group("policy")
def policy() -> None:
    """Test clusters against a repository's policies."""


@policy.command("test")
@cluster_arguments.any_of
@click.option(
    "--policy",
    "file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Policy file. Left out: every clusterprint.policy.yaml beside the blueprints and above.",
)
@FORMAT
def test(paths: tuple[Path, ...], file: Path | None, form: str) -> None:
    """Test clusters against the policies of the repository.

    CLUSTER is a name, a blueprint's file, or a folder of blueprints; the default is blueprints/. All of them
    are tested, whether anything changes or not: for authors of policies and of blueprints below them.
    `forbid` and `limits` are about changes: `review` applies those. Exit codes: 0 all are, 1 problems in a
    blueprint or a policy, 5 something is not as expected.
    """
    from clusterprint.review.policy.find import named_policy, standing_policies  # loads the engine

    examined = cluster_arguments.sound(paths, "nothing is tested: the blueprints have problems")
    policies = (
        named_policy(file) if file else standing_policies(each.document.file for each in examined.results)
    )
    if policies.diagnostics:
        broken = Examined([], list(policies.diagnostics), _sources(policies), len(policies.judging))
        print_report(broken, "text", utf8(sys.stderr), "policy")
        if exit_code(broken, strict=False):
            say("nothing is tested: a policy has problems", err=True)
            sys.exit(1)
    found = _found(examined, policies)
    if form == "json":
        say(json.dumps(_data(policies, found), indent=2, ensure_ascii=False))
    else:
        say(_text(policies, found, len(examined.results)))
    sys.exit(_VIOLATED if found else 0)


def _sources(policies: "Policies") -> dict[str, str]:
    return {each.read.file: each.read.document.text for each in policies.judging if each.read.document}


def _found(examined: Examined, policies: "Policies") -> "list[PolicyFinding]":
    from clusterprint.masking import masked
    from clusterprint.review.machines import machines_of
    from clusterprint.review.policy.expect import Standing, expectations
    from clusterprint.review.side import synthesized

    clusters = [
        Standing(
            str(result.document.data["name"]),
            result.document,
            machines_of([each for stack in stacks for each in stack.resources.values()]),
        )
        for result, stacks in zip(examined.results, synthesized(examined.results), strict=True)
    ]
    return [
        masked(finding)
        for judging in policies.judging
        for finding in expectations(
            judging.read, [each for each in clusters if judging.is_about([each.document.file])], ()
        )
    ]


def _data(policies: "Policies", found: "list[PolicyFinding]") -> dict[str, object]:
    from msgspec import to_builtins

    return {
        "files": [each.read.file for each in policies.judging],
        "findings": [to_builtins(each) for each in found],
    }


def _text(policies: "Policies", found: "list[PolicyFinding]", clusters: int) -> str:
    if not policies.judging:
        return (
            "There is no clusterprint.policy.yaml beside the blueprints or above them: nothing is expected."
        )
    lines = []
    for each in found:
        place = each.place
        where = f"{place.file}:{place.line}:{place.column}: " if place else ""
        lines += [f"{where}{each.message}", f"    {each.file}:{each.line} {each.rule}: {each.help}"]
    files = ", ".join(each.read.file for each in policies.judging)
    told = f"{counted(len(found), 'expectation')} not met" if found else "all as expected"
    return "\n".join([*lines, f"{counted(clusters, 'cluster')} tested by {files}: {told}"])
