"""`clusterprint up`: create or change the clusters of blueprints."""

import sys
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import click

from clusterprint.cli import (
    approvals,
    cluster_arguments,
    fallbacks,
    flex_start,
    image_builds,
    images_first,
    lifecycle,
)
from clusterprint.cli import ephemeral as short
from clusterprint.cli.output import say
from clusterprint.cli.report import utf8
from clusterprint.errors import UsageError
from clusterprint.examine import Examined
from clusterprint.exit_codes import Code
from clusterprint.words import counted

if TYPE_CHECKING:
    from clusterprint.lifecycle.up import Consent, Ended
    from clusterprint.review.model import Report


@click.command("up")
@cluster_arguments.some
@lifecycle.YES
@click.option("--plan-only", is_flag=True, help="Show what would change, and change nothing.")
@lifecycle.SIMULATE
@lifecycle.LOG_DIR
@click.option(
    "--allow",
    "allowed",
    multiple=True,
    metavar="NAME",
    help="Allow a risk, a group of risks or a limit of the policy, as for review.",
)
@click.option(
    "--adopt",
    is_flag=True,
    help="After showing them, import existing resources whose names match new ones into the state.",
)
@click.option(
    "--ephemeral",
    is_flag=True,
    help="Keep the state on this machine, and destroy everything, with all data, when the command ends.",
)
@click.option(
    "--for",
    "seconds",
    metavar="DURATION",
    callback=short.limit,
    help="With --ephemeral: how long it stays up, such as 30m or 8h. Left out: until Ctrl-C or SIGTERM.",
)
@click.option(
    "--remove-foreign",
    is_flag=True,
    help="With --ephemeral: confirm removing what others have put into its networks, once that is listed.",
)
@click.option(
    "--build-images",
    "builds",
    is_flag=True,
    help="Build images that were never built, or are out of date, as soon as what they need exists.",
)
@click.option(
    "--until-capacity",
    "until",
    is_flag=True,
    help="Go on until the cloud has capacity, with all wishes in turn, instead of the blueprint's patience.",
)
@click.option(
    "--rebalance",
    is_flag=True,
    help="Move groups of machines that have a fallback back to the capacity that is named first.",
)
@click.option(
    "--renew",
    is_flag=True,
    help="Request flex-start machines of kind vm again, once all of a request have ended.",
)
@click.option(
    "--notify",
    default="",
    metavar="COMMAND|URL",
    callback=lambda _context, _option, value: fallbacks.check_notify(value),
    help="Tell a command (on its standard input) or an https address which wish is tried, in JSON.",
)
@approvals.options
@lifecycle.RELEASE
@lifecycle.DETAILED
def up(  # noqa: PLR0913, PLR0917 - click passes options
    paths: tuple[Path, ...],
    yes: bool,  # noqa: FBT001
    plan_only: bool,  # noqa: FBT001
    simulate: Path | None,
    logs: Path | None,
    allowed: tuple[str, ...],
    adopt: bool,  # noqa: FBT001
    ephemeral: bool,  # noqa: FBT001
    seconds: int | None,
    remove_foreign: bool,  # noqa: FBT001
    builds: bool,  # noqa: FBT001
    until: bool,  # noqa: FBT001
    rebalance: bool,  # noqa: FBT001
    renew: bool,  # noqa: FBT001
    notify: str,
    read_only: bool,  # noqa: FBT001
    noted: Path | None,
    approved: Path | None,
    lasts: int | None,
    release: str,
    detailed: bool,  # noqa: FBT001
) -> None:
    """Create or change the clusters of blueprints.

    CLUSTER is a name, a blueprint's file, or a folder of blueprints. This checks the blueprints and runs
    Terraform (or OpenTofu) for each of their stacks, in the order in which they need each other: it plans,
    shows the review of that plan, asks, and applies that very plan. Failures are explained; rerun the
    command to continue. The first Ctrl-C lets Terraform finish its step, the second stops it at once.
    `clusterprint --help` lists the exit codes.

    With --ephemeral, the cluster stays up until a signal or a limit, and is destroyed whatever happens
    before.

    A group of machines that finds no capacity is tried again with the next of its `capacity.fallbacks`;
    NAME.capacity.lock beside the blueprint keeps which one exists.

    With --build-images, the stacks with registries come first; then Cloud Build builds the images, lock files
    beside the blueprints keep their digests, and the rest is planned with these.
    """
    short.check_together(
        ephemeral=ephemeral,
        needing=seconds is not None or remove_foreign,
        excluded=any(
            (adopt, plan_only, release, read_only, noted, approved, builds, until, rebalance, renew, notify)
        ),
    )
    if plan_only and (until or notify):
        raise UsageError("--plan-only tries no wish for capacity: leave out --until-capacity and --notify")
    if builds and (noted or approved):
        raise UsageError(
            "--build-images cannot be combined with --approved or --write-approval: build the images, and "
            "commit their lock files with what is approved"
        )
    approvals.check_read_only(read_only=read_only, plan_only=plan_only)
    agreement = approvals.Agreement("up", approved, noted, lasts, plan_only=plan_only, yes=yes)
    examined = lifecycle.sound(paths)
    from clusterprint.lifecycle.plan_review import documents_of
    from clusterprint.lifecycle.up import Consent  # loads the engine and the review
    from clusterprint.review.policy.judge import check_allowed

    check_allowed(allowed)
    lasting = ", and destroy it all when this ends" if ephemeral else ""
    consent = Consent(
        lambda report: _show(report, agreement),
        lambda names: agreement.agreed(f"Apply this plan to {', '.join(names)}{lasting}?"),
        allowed,
        documents_of(examined),
        agreement.read,
    )
    if ephemeral:
        asked = short.Asked(paths, simulate, logs, seconds, remove_foreign=remove_foreign, yes=yes)
        lifecycle.finish(short.live(examined, asked, consent), detailed=detailed)
    where = World(simulate, logs, release, read_only=read_only)
    images = image_builds.due(examined)
    make = partial(_make, where=where, agreement=agreement, plan_only=plan_only, adopt=adopt, renew=renew)
    wished = fallbacks.Fallbacks(
        fallbacks.Asked(
            paths,
            agreement,
            until,
            notify,
            simulate is not None,
            lambda now: flex_start.queued(now, where.simulate),
        )
    )
    if rebalance:
        examined = wished.rebalanced(examined)

    def once(examined: Examined, consent: "Consent") -> "Ended":
        due = image_builds.due(examined) if builds and not plan_only else []
        wanted = images_first.Asked(paths, due, agreement, for_now=simulate is not None)
        return images_first.make(examined, wanted, consent, make) if due else make(examined, consent)

    ended = once(examined, consent) if plan_only else wished.make(examined, consent, once)
    if builds and not plan_only and ended.code in (Code.DONE, Code.NOTHING_TO_DO):
        images = []
    agreement.write(ended.code, ended.left_out)
    _tell(examined, ended, paths, simulate)
    if images and ended.code in (Code.DONE, Code.CHANGES, Code.NOTHING_TO_DO):
        say(f"to be built: {image_builds.names_of(images)}; the same command with --build-images does it")
    lifecycle.finish(ended.code, detailed=detailed)


class World(NamedTuple):
    """Where it happens: in which cloud, what keeps what Terraform says, which lock is released.

    `read_only`: nothing is locked, and nobody looks into clusters.
    """

    simulate: Path | None
    logs: Path | None
    release: str
    read_only: bool


def _make(  # noqa: PLR0913 - what the command was asked
    examined: Examined,
    consent: "Consent",
    where: World,
    *,
    agreement: approvals.Agreement,
    plan_only: bool,
    adopt: bool,
    renew: bool,
    only: frozenset[str] | None = None,
    then: images_first.Then | None = None,
) -> "Ended":
    """Make the stacks, or `only` some, and do what comes `then`, in the same world."""
    from clusterprint.lifecycle.read_only import read_only as only_reading
    from clusterprint.lifecycle.session import session
    from clusterprint.lifecycle.stack import synthesized
    from clusterprint.lifecycle.up import up as make

    display = lifecycle.display()
    with (
        synthesized(examined) as stacks,
        session(stacks, where.simulate, display, where.logs, where.release) as opened,
    ):
        if opened.world.simulated:
            display.line(lifecycle.SIMULATED)
        agreement.begin(stacks, consent.documents)
        if where.read_only:
            opened.world = only_reading(stacks, opened.world)
        renewed = flex_start.ended(examined, stacks, opened) if renew else {}
        ended = make(stacks, opened, consent, plan_only=plan_only, adopt=adopt, only=only, renewed=renewed)
        lifecycle.tell_broken(ended.broken, ended.left_out, "the same command")
        if then is not None:
            if ended.code in (Code.DONE, Code.NOTHING_TO_DO) and not then(
                opened.world.environment, consented=ended.code is Code.DONE
            ):
                ended = ended._replace(code=Code.REFUSED)
        elif ended.code is Code.NOTHING_TO_DO:
            say(f"nothing to do: {counted(len(stacks), 'stack')} as the blueprints say")
    return ended


def _tell(examined: Examined, ended: "Ended", paths: tuple[Path, ...], simulate: Path | None) -> None:
    if ended.code is Code.FORBIDDEN:
        say("not applied: the policy forbids this plan (--allow NAME allows one thing)", err=True)
    if ended.code is Code.PROBLEMS:
        say("not applied: a policy has problems, and cannot judge this plan", err=True)
    if ended.code is Code.REFUSED:
        say("refused: what is shown above was not applied", err=True)
    if ended.code is Code.CHANGES and ended.left_out:
        say(f"planned once those above exist: {', '.join(ended.left_out)}")
    if ended.code is Code.DONE:
        from clusterprint.cli.what_next import what_next, where_to_go

        ways = what_next(examined.results, ended.outputs, ended.reports, simulate=simulate)
        say("\n".join(["", "Done. What next:", *ways, *where_to_go(paths, simulate)]))


def _show(report: "Report", agreement: approvals.Agreement) -> None:
    from clusterprint.review.render import text

    agreement.seen(report)
    say(text.render(report), nl=False, to=utf8(sys.stdout))
