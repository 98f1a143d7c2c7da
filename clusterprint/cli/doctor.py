"""`clusterprint doctor`: prerequisites that this machine and this account lack."""

import json
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli import cluster_access, cluster_arguments, lifecycle
from clusterprint.cli.output import FORMAT, say
from clusterprint.cli.report import utf8
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.exit_codes import Code
from clusterprint.find import DEFAULT
from clusterprint.words import counted

if TYPE_CHECKING:
    from clusterprint.doctor import Finding, Findings

_SIGNS = {"ok": "ok      ", "lacks": "MISSING ", "unasked": "unasked "}


@click.command("doctor")
@cluster_arguments.any_of
@FORMAT
@click.option("--offline", is_flag=True, help="Check this machine only, and list what is not checked.")
@lifecycle.SIMULATE
def doctor(paths: tuple[Path, ...], form: str, *, offline: bool, simulate: Path | None) -> None:
    """List missing prerequisites, here and in accounts.

    Each finding has the command that fixes it. CLUSTER is a name, a blueprint's file, or a folder of
    blueprints; the default is blueprints/, if there is one. This checks, as far as the clusters need it:
    Terraform and other programs, the login, project or subscription, billing, APIs, permissions, quota,
    machine types and file systems on offer, reservations, policies of the organization (as far as they may be
    read), the bucket of the state. With --simulate, it checks
    only what a simulated cloud needs: such a cloud has all the rest. Nothing is changed. Exit codes: 0
    nothing is missing, 1 something is missing or a blueprint has problems, 3 something could not be checked.
    """
    from clusterprint import doctor as doctors  # loads the engine, and what asks

    problems = "nothing is checked: the blueprints have problems"
    results = cluster_arguments.sound(paths, problems).results if paths or DEFAULT.exists() else []
    if simulate is not None:
        if offline:
            raise UsageError("--offline and --simulate exclude each other: neither asks a real cloud")
        findings = list(_simulated(doctors.tools(()), simulate))
    else:
        findings = list(doctors.examine(doctors.wanted(results), offline=offline))
    lacks = sum(each.status == "lacks" for each in findings)
    unasked = sum(each.status == "unasked" for each in findings)
    is_open = any(each.status == "unasked" and each.check not in doctors.OPTIONAL for each in findings)
    if form == "json":
        data = {"lacks": lacks, "unasked": unasked, "findings": [each._asdict() for each in findings]}
        say(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        say(_text(findings, named=bool(results)), to=utf8(sys.stdout))
    sys.exit(Code.PROBLEMS if lacks else Code.FAILED if is_open else Code.DONE)


def _simulated(here: "Findings", simulate: Path) -> "Findings":
    """Whether this machine can simulate a cloud in a folder."""
    from clusterprint.doctor import Finding

    place = f"simulated cloud {simulate}"
    yield from here
    try:
        with cluster_access.programs(simulate):
            yield Finding(place, "start", "ok", "it starts; projects, permissions and quota are all there")
    except EnvironmentFailure as error:
        yield Finding(place, "start", "lacks", str(error))


def _text(findings: "Sequence[Finding]", *, named: bool) -> str:
    lines = []
    places = list(dict.fromkeys(each.place for each in findings))
    in_order = sorted(findings, key=lambda each: places.index(each.place))
    for place, many in groupby(in_order, key=lambda each: each.place):
        lines.append(place)
        for each in many:
            lines.append(f"  {_SIGNS[each.status]}{each.check}: {each.message}")
            if each.fix and each.status != "ok":
                lines.append(f"            {each.fix}")
    lines += ["", _summary(findings)]
    if not named:
        lines.append("Name a blueprint to check what its cluster needs.")
    return "\n".join(lines)


def _summary(findings: "Sequence[Finding]") -> str:
    lacks = sum(each.status == "lacks" for each in findings)
    unasked = sum(each.status == "unasked" for each in findings)
    told = (
        [f"{counted(lacks, 'thing')} {'is' if lacks == 1 else 'are'} missing"]
        if lacks
        else ["Nothing is missing"]
    )
    if unasked:
        told.append(f"{counted(unasked, 'thing')} could not be checked")
    return ", ".join(told) + "."
