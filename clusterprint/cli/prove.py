"""`clusterprint prove`: run trials in a project, and write evidence of them."""

import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from clusterprint.cli import cluster_arguments, lifecycle, process_end
from clusterprint.cli.ephemeral import limit
from clusterprint.cli.output import FORMAT, out_option, say
from clusterprint.cli.prove_clean_up import clean_up
from clusterprint.cli.prove_jobs import Job, jobs_of, place_of, print_list
from clusterprint.cli.prove_replay import replay
from clusterprint.errors import ClusterprintError, EnvironmentFailure, UsageError
from clusterprint.exit_codes import Code
from clusterprint.words import listed

if TYPE_CHECKING:
    from clusterprint.proof.trial import Proved
    from clusterprint.proof.types import Statement
    from clusterprint.review.model import Report


@click.command("prove")
@cluster_arguments.perhaps
@click.option(
    "--list", "listing", is_flag=True, help="List the trials: cost, time, quotas and roles; run none."
)
@click.option("--only", multiple=True, metavar="NAME", help="Run this trial; can be given several times.")
@click.option(
    "--budget",
    type=click.FloatRange(min=0, max=1_000_000),
    metavar="USD",
    help="Run the cheapest trials whose costs at most are together within this amount.",
)
@click.option(
    "--time", "seconds", callback=limit, metavar="TIME", help="The same for their time, such as 1h."
)
@click.option("--project", default="", metavar="ID", help="Project of the trials; needed in the real clouds.")
@click.option("--bucket", default="", metavar="NAME", help="Its bucket for states; needed there, too.")
@click.option("--zone", default="", metavar="ZONE", help="Zone of the trials. Left out: us-central1-a.")
@out_option("Folder for the evidence.", folder=True, default=Path("evidence"))
@click.option(
    "--key",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Private key to sign with (`clusterprint evidence key`). Left out: the evidence is unsigned.",
)
@click.option("--oidc", is_flag=True, help="Sign by the identity of the GitHub workflow that this runs in.")
@click.option(
    "--with-names", "names", is_flag=True, help="Keep project, names and addresses in the evidence."
)
@click.option(
    "--public",
    is_flag=True,
    help="For a public place: without the path of the blueprint, too; says what was taken out.",
)
@click.option(
    "--clean-up", "cleaning", is_flag=True, help="Destroy instead what earlier proofs left, and nothing else."
)
@click.option(
    "--replay",
    "bundle",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    metavar="BUNDLE",
    help="Run the blueprint of a bundle, with its errors, in a simulated cloud (--simulate).",
)
@FORMAT
@lifecycle.YES
@lifecycle.SIMULATE
@lifecycle.LOG_DIR
def prove(  # noqa: PLR0913 - click passes options
    paths: tuple[Path, ...],
    *,
    listing: bool,
    only: tuple[str, ...],
    budget: float | None,
    seconds: int | None,
    project: str,
    zone: str,
    bucket: str,
    out: Path,
    key: Path | None,
    oidc: bool,
    names: bool,
    public: bool,
    cleaning: bool,
    bundle: Path | None,
    form: str,
    yes: bool,
    simulate: Path | None,
    logs: Path | None,
) -> None:
    """Run trials, and write evidence of them.

    CLUSTER is a name or a blueprint's file: it is created, planned again, compared with its
    blueprint, changed by a label, planned again and destroyed, with all data. Without one, trials that come
    with clusterprint are run, the cheapest first: --list shows them. Everything has the label
    clusterprint-proof, its state is on this machine, and it is destroyed when the trial ends, also after
    Ctrl-C or a failure; after a kill, --clean-up does it. This asks before anything is created. Exit codes: 0
    all trials passed, 1 problems in a blueprint, 3 one failed, 6 not confirmed.
    """
    lifecycle.insist_on_posix()
    if (cleaning or bundle) and (listing or paths or only or (cleaning and bundle)):
        raise UsageError(
            "--clean-up destroys what is left of all proofs, --replay runs a bundle: leave out trials, "
            "blueprints and --list"
        )
    if paths and (only or budget is not None or seconds is not None or project or zone or bucket):
        raise UsageError(
            "--only, --budget, --time, --project, --bucket and --zone are about trials: leave out CLUSTER"
        )
    if names and public:
        raise UsageError("--with-names keeps what --public takes out: give one of the two")
    if key and oidc:
        raise UsageError("--key and --oidc are two ways to sign: give one of the two")
    if form == "json" and not listing:
        raise UsageError("--format json is for --list; evidence is JSON anyway")
    if cleaning:
        clean_up(simulate, logs, yes=yes)
    asked = Asked(simulate, logs, out, _key(key, oidc=oidc), names, public)
    if bundle:
        sys.exit(replay(bundle, simulate, lambda job: _run(job, asked)))
    place = place_of(project, zone, bucket)
    if not (listing or paths or simulate or (project and bucket)):
        raise UsageError(
            "--project and --bucket name the project to run trials in, and a bucket of it for files of "
            "nodes; --simulate DIR runs trials without"
        )
    with jobs_of(paths, only, budget, seconds, place) as jobs:
        if listing:
            print_list(jobs, form)
            return
        sys.exit(_prove(jobs, asked, yes=yes))


#: In place of a private key: the identity of the workflow.
_WORKFLOW = "workflow"


class Asked(NamedTuple):
    """Where trials run, and what becomes of their evidence."""

    simulate: Path | None
    logs: Path | None
    out: Path
    key: Any
    names: bool
    public: bool


def _prove(jobs: Sequence[Job], asked: Asked, *, yes: bool) -> Code:
    if not jobs:
        raise UsageError("no trial fits into the budget and the time: `clusterprint prove --list` shows them")
    process_end.go_on_unheard()
    _tell(jobs, asked.simulate)
    total = sum(each.estimate.at_most(each.minutes) for each in jobs)
    if not lifecycle.agreed(f"Create and destroy all this, for {total:,.2f} USD at most?", yes=yes):
        say("refused: nothing was created", err=True)
        return Code.REFUSED
    code = Code.DONE
    for job in jobs:
        proved = _run(job, asked)
        file = _write(proved, job, asked)
        code = _said(proved, job, file, asked.simulate) or code
        if proved.told:
            return Code(128 + proved.told)
    return code


def _key(file: Path | None, *, oidc: bool) -> Any:
    """The private key: read before anything is created, as a wrong one would be found too late.

    With `oidc`, the text "workflow", once it is sure that this is one.
    """
    if oidc:
        from clusterprint.proof.workflow_identity import insist_on_workflow

        insist_on_workflow()
        return _WORKFLOW
    if file is None:
        return None
    from clusterprint.proof.envelope import private_key

    return private_key(file)


def _tell(jobs: Sequence[Job], simulate: Path | None) -> None:
    for each in jobs:
        unpriced = (
            f", without {', '.join(each.estimate.without_price)}" if each.estimate.without_price else ""
        )
        cost = f"{each.estimate.at_most(each.minutes):,.2f} USD at most{unpriced}"
        say(f"{each.called}: {cost}, {each.minutes:.0f} minutes at most", err=True)
    if simulate is not None:
        say("Simulated: it costs nothing, and proves nothing of the real clouds.", err=True)


def _run(job: Job, asked: Asked) -> "Proved":
    from clusterprint.lifecycle import ephemeral, local_state
    from clusterprint.lifecycle.plan_review import documents_of
    from clusterprint.lifecycle.session import session
    from clusterprint.lifecycle.skeleton import skeletons
    from clusterprint.lifecycle.stack import synthesized
    from clusterprint.lifecycle.up import Consent
    from clusterprint.proof.record import recorded
    from clusterprint.proof.trial import Limits, Runner

    display = lifecycle.display()
    _refuse_existing(job, asked)
    limits = Limits(job.name, job.minutes, job.estimate, asked.simulate, asked.names)
    cluster = str(job.blueprints.made.results[0].document.data["name"])
    with (
        synthesized(job.blueprints.made) as made,
        synthesized(job.blueprints.changed) as other,
        recorded(made, asked.simulate, cluster) as full,
        skeletons(full) as bare,
    ):
        local_state.refuse_undeletable(full)
        changed = local_state.keep_here(other, _folder(full))
        with session([*full, *bare, *changed], asked.simulate, display, asked.logs) as opened:
            if opened.world.simulated:
                display.line(lifecycle.SIMULATED)
            display.line(f"trial {job.called}: all that is created is destroyed when it ends")
            stacks = ephemeral.Stacks(full, bare)
            runner = Runner(limits, job.blueprints, stacks, changed)
            consent = Consent(_silent, lambda _: True, (), documents_of(job.blueprints.made))
            return runner.run(opened, consent, display.line)


def _refuse_existing(job: Job, asked: Asked) -> None:
    """Refuse a cluster that exists: a trial of the same name would overwrite and remove its files."""
    from clusterprint.lifecycle.inventory import read_inventory
    from clusterprint.lifecycle.session import session
    from clusterprint.lifecycle.stack import synthesized
    from clusterprint.lifecycle.terraform import Terraform

    def resources(terraform: Terraform) -> int:
        terraform.init()
        return len(read_inventory(terraform.state()).resources)

    with (
        synthesized(job.blueprints.made) as stacks,
        session(stacks, asked.simulate, lifecycle.display(quiet=True), asked.logs) as opened,
        opened.terraforms(stacks) as terraforms,
    ):
        found, broken = opened.each([*terraforms.values()], resources)
    lifecycle.tell_broken(broken, (), "")
    if broken:
        raise EnvironmentFailure("nothing was created: whether such a cluster exists cannot be found out")
    if existing := [name for name, count in found.items() if count]:
        raise UsageError(
            f"{listed(existing, 'and')}: exists already, and a trial makes a cluster of the same name: give "
            "a copy of the blueprint another name, or destroy the cluster first"
        )


def _folder(stacks: Sequence[Any]) -> Path:
    folder: Path = stacks[0].state.file.parent
    return folder


def _silent(_: "Report") -> None:
    """The report is not shown: the cost was confirmed before, and the evidence counts the changes."""


def _write(proved: "Proved", job: Job, asked: Asked) -> Path:
    from msgspec import structs

    from clusterprint.cli.new_file import write
    from clusterprint.proof.checksums import BLUEPRINT, PUBLIC, subjects
    from clusterprint.proof.envelope import ENDING
    from clusterprint.proof.types import Digest, Statement, Subject

    evidence = proved.evidence
    own = job.name == "blueprint"
    called = PUBLIC if asked.public and own else job.called
    if asked.public and own:
        evidence = structs.replace(evidence, redacted=(*evidence.redacted, "path of the blueprint"))
    found = subjects(job.blueprints.plain, called)
    subject = tuple(Subject(name=name, digest=Digest(sha256=each)) for name, each in found.items())
    statement = Statement(subject=subject, predicate=evidence)
    stem = (
        "blueprint"
        if asked.public and own
        else re.sub(r"[^a-z0-9]+", "-", Path(called).stem.lower()).strip("-")
    )
    file = asked.out / f"{stem}-{evidence.ended:%Y-%m-%dT%H%M%SZ}{ENDING}"
    assert any(name.startswith(BLUEPRINT) for name in found)  # noqa: S101 - a statement without is refused
    write(_signed(statement, asked.key).decode(), file)
    if asked.public:
        taken = ", ".join(evidence.redacted) or "nothing: no text had any"
        say(f"taken out of the texts of {file}: {taken}", err=True)
    return file


def _signed(statement: "Statement", key: Any) -> bytes:
    from clusterprint.proof.envelope import sealed, sealed_by_workflow

    if key != _WORKFLOW:
        return sealed(statement, key)
    try:
        return sealed_by_workflow(statement)
    except EnvironmentFailure as failed:  # after a trial that was paid for
        say(f"the evidence is unsigned: {failed}", err=True)
        return sealed(statement, None)


def _said(proved: "Proved", job: Job, file: Path, simulate: Path | None) -> Code | None:
    """Print the result of a trial; the exit code if it failed."""
    lifecycle.tell_broken([each for each in proved.broken if not isinstance(each, ClusterprintError)], (), "")
    for failed in (each for each in proved.broken if isinstance(each, ClusterprintError)):
        say(f"\nnot destroyed: {failed}", err=True)
    for each in proved.evidence.steps:
        why = f": {each.errors[0].splitlines()[0]}" if each.errors else f" ({each.note})" if each.note else ""
        say(f"  {each.name.replace('_', ' ')}: {each.result.replace('_', ' ')}{why}")
    say(f"{job.called}: {proved.evidence.result}; evidence: {file}")
    if proved.left:
        where = "" if simulate is None else f" --simulate {simulate}"
        say(f"not everything is destroyed: clusterprint prove --clean-up{where}", err=True)
    if proved.failed is not None:
        raise proved.failed
    return Code.FAILED if proved.evidence.result == "failed" else None
