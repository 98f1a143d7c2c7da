"""`clusterprint review`: what a change would do to the clusters."""

import sys
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource
from msgspec.structs import replace

from clusterprint.cli import cluster_arguments
from clusterprint.cli.non_empty import non_empty
from clusterprint.cli.output import say
from clusterprint.cli.report import utf8
from clusterprint.errors import UsageError
from clusterprint.progress import shown

if TYPE_CHECKING:
    from clusterprint.review.assemble import Gathered
    from clusterprint.review.model import Report

FORMATS = ("text", "markdown", "html", "json")
_SIDE = non_empty("a git revision such as main, or a folder")
_SUFFIXES = {".txt": "text", ".md": "markdown", ".html": "html", ".json": "json"}


@click.command("review")
@cluster_arguments.either_of
@click.option(
    "--base", callback=_SIDE, metavar="REV|DIR", help="The earlier version: a git revision, or a folder."
)
@click.option(
    "--head",
    callback=_SIDE,
    metavar="REV|DIR",
    help="The new version. Left out: the files as they are in the work tree.",
)
@click.option(
    "--plan",
    "plans",
    multiple=True,
    type=click.Path(path_type=Path),
    help="Output of `terraform show -json` for the plan of a stack; can be given several times.",
)
@click.option(
    "--policy",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Policy file. Left out: every clusterprint.policy.yaml in the folders of the blueprints and "
    "above, in the earlier version.",
)
@click.option(
    "--allow",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="Allow a risk, a group of risks or a limit of the policy, such as replacement.",
)
@click.option(
    "--label",
    "labels",
    multiple=True,
    metavar="NAME",
    help="Label of the pull request. A label that begins with --label-prefix allows what the rest of it "
    "names; the report mentions unknown names.",
)
@click.option(
    "--label-prefix",
    default="clusterprint-allow-",
    show_default=True,
    metavar="TEXT",
    help="Prefix of labels that allow something. If it is given, the report names labels as the way out.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMATS),
    help="Format of the report; markdown is for comments on pull requests, html is a page for browsers. "
    "Left out: the format of the suffix of --out, or text.",
)
@click.option(
    "-o",
    "--out",
    "outs",
    multiple=True,
    type=click.Path(path_type=Path, dir_okay=False),
    help="File to write the report to (.md, .html, .json, .txt); can be given several times.",
)
def review(  # noqa: PLR0913, PLR0917 - click passes options
    paths: tuple[Path, ...],
    base: str | None,
    head: str | None,
    plans: tuple[Path, ...],
    policy: Path | None,
    allowed: tuple[str, ...],
    labels: tuple[str, ...],
    label_prefix: str,
    form: str | None,
    outs: tuple[Path, ...],
) -> None:
    """Report what a change does to clusters.

    The report has capacity, cost, risks, and the change itself. CLUSTER is a name, a blueprint's file, or a
    folder of blueprints; the default is blueprints/. With --base, two versions of them are synthesized and
    compared, offline and without credentials; with --plan, the report is about a Terraform plan; with both,
    the Terraform plan is combined with the lines of the blueprints. Exit codes: 0 nothing changes, 1 problems
    in a blueprint, 2 wrong usage, 3 a failure, 4 changes, 5 changes that the policy forbids.
    """
    from clusterprint.review.assemble import assemble  # only commands that review pay for it
    from clusterprint.review.policy.find import find_policies, named_policy
    from clusterprint.review.policy.judge import Judge, check_allowed, read_labels

    check_allowed(allowed)
    cluster_arguments = named_policy(policy) if policy else None
    with shown(sys.stderr):
        gathered = _gathered(base, head, plans, paths)
        policies = cluster_arguments or find_policies(base, head, paths, gathered.blueprints)
        labelled = read_labels(labels, label_prefix)
        source = click.get_current_context().get_parameter_source("label_prefix")
        by_labels = bool(labels) or source is ParameterSource.COMMANDLINE
        judge = Judge(
            policies,
            (*allowed, *labelled.allowed),
            labelled.notes,
            labelled.allowed,
            label_prefix if by_labels else "",
        )
        report = assemble(gathered, judge)
        if any(each.read.policy and each.read.policy.scenarios for each in policies.judging):
            from clusterprint.whatif.compare import compared

            rows, notes = compared(gathered.scenes, policies)
            report = replace(report, scenarios=rows, notes=(*report.notes, *notes))
        if base is not None:
            from clusterprint.proof import reviewed

            proofs, notes = reviewed.compared(base, head, gathered.scenes)
            report = replace(report, proofs=proofs, notes=(*report.notes, *notes))
    given = click.get_current_context().get_parameter_source("form") is ParameterSource.COMMANDLINE
    for out in outs:
        from clusterprint.review.write import write

        own = _SUFFIXES.get(out.suffix.lower(), "text")
        write(_rendered(report, form if form and given else own), out)
    if not outs:
        say(_rendered(report, form or "text"), nl=False, to=utf8(sys.stdout))
    sys.exit(report.verdict.exit_code)


def _rendered(report: "Report", form: str) -> str:
    text: str = import_module(f"clusterprint.review.render.{form}").render(report)
    return text


def _gathered(
    base: str | None, head: str | None, plans: tuple[Path, ...], paths: tuple[Path, ...]
) -> "Gathered":
    """The report of the requested sources."""
    if base is None and not plans:
        raise UsageError("missing option: give --base main (or a folder), --plan FILE, or both")
    if base is None and (head or paths):
        raise UsageError("--head and CLUSTER require --base, the version to compare with")
    planned = None
    if plans:
        from clusterprint.review.terraform_plan import gather_plans

        planned = gather_plans(plans)
        if base is None:
            return planned
    from clusterprint.review.combine import combine  # loads the engine, once it is needed
    from clusterprint.review.comparison import compare_sides

    compared = compare_sides(str(base), head, paths)
    if not (planned or compared.scenes or compared.head_diagnostics or compared.base_diagnostics):
        # "Nothing changes" would be true, and taken for a review.
        sides = f"{compared.sources[0].base} or at {compared.sources[0].head}"
        raise UsageError(f"there are no blueprints to compare, at {sides}: name the files or folders")
    return combine(compared, planned) if planned else compared
