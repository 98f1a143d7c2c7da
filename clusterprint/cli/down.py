"""`clusterprint down`: destroy the clusters of blueprints."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli import approvals, cluster_arguments, lifecycle
from clusterprint.cli.ephemeral import kept_here
from clusterprint.cli.output import say
from clusterprint.cli.report import utf8
from clusterprint.errors import UsageError
from clusterprint.exit_codes import Code
from clusterprint.words import counted

if TYPE_CHECKING:
    from clusterprint.document import Document
    from clusterprint.lifecycle.destroy_plan import Losing
    from clusterprint.lifecycle.foreign import Foreign
    from clusterprint.lifecycle.stack import Stack
    from clusterprint.review.approval import Command
    from clusterprint.review.model import Report


@click.command("down")
@cluster_arguments.some
@lifecycle.YES
@click.option("--plan-only", is_flag=True, help="Show what would be lost, and change nothing.")
@click.option(
    "--include-data",
    is_flag=True,
    help="Destroy buckets, file systems, disks and registries too, with all that they hold.",
)
@click.option(
    "--remove-foreign",
    is_flag=True,
    help="Confirm removing what others have put into the networks, once that is listed.",
)
@click.option(
    "--state",
    metavar="gs://BUCKET/PREFIX",
    default="",
    help="Destroy what the states of the cluster at this address hold, without a blueprint.",
)
@click.option(
    "--ephemeral",
    is_flag=True,
    help="Destroy what an `up --ephemeral` of these blueprints has left on this machine.",
)
@lifecycle.SIMULATE
@lifecycle.LOG_DIR
@approvals.options
@lifecycle.RELEASE
@lifecycle.DETAILED
def down(  # noqa: PLR0913, PLR0917 - click passes options
    paths: tuple[Path, ...],
    yes: bool,  # noqa: FBT001
    plan_only: bool,  # noqa: FBT001
    include_data: bool,  # noqa: FBT001
    remove_foreign: bool,  # noqa: FBT001
    state: str,
    ephemeral: bool,  # noqa: FBT001
    simulate: Path | None,
    logs: Path | None,
    read_only: bool,  # noqa: FBT001
    noted: Path | None,
    approved: Path | None,
    lasts: int | None,
    release: str,
    detailed: bool,  # noqa: FBT001
) -> None:
    """Destroy the clusters of blueprints.

    Goes in the reverse order of `up`. CLUSTER is a name, a blueprint's file, or a folder of blueprints. This
    shows what is lost, with data and protections listed separately, and asks once; then removes protections
    and destroys. Keeps data and everything it depends on, unless you pass --include-data. Resources outside
    the state that block a network are listed and, once confirmed, removed. Reports at the end whether the
    state is empty. `clusterprint --help` lists the exit codes.
    """
    if bool(paths) == bool(state):
        raise UsageError(
            "name clusters or blueprints, or with --state the states of a cluster whose blueprint is gone"
        )
    if ephemeral and state:
        raise UsageError("--ephemeral is about states on this machine, --state about those in a bucket")
    approvals.check_read_only(read_only=read_only, plan_only=plan_only)
    command: Command = "down --include-data" if include_data else "down"
    agreement = approvals.Agreement(command, approved, noted, lasts, plan_only=plan_only, yes=yes)
    with _stacks(paths, state, simulate, ephemeral=ephemeral) as (stacks, documents):
        from clusterprint.lifecycle.down import Consent
        from clusterprint.lifecycle.down import down as destroy
        from clusterprint.lifecycle.read_only import read_only as only_reading
        from clusterprint.lifecycle.session import session

        display = lifecycle.display()
        with session(stacks, simulate, display, logs, release) as opened:
            if opened.world.simulated:
                display.line(lifecycle.SIMULATED)
            agreement.begin(stacks, documents)
            if read_only:
                opened.world = only_reading(stacks, opened.world)

            def show(losing: "Mapping[str, Losing]", report: "Report") -> None:
                agreement.seen(report)
                _show(losing, report, include_data=include_data)

            def foreign(found: "Sequence[Foreign]") -> None:
                agreement.foreign(found)
                if found:
                    lifecycle.tell_foreign(found, "Removed, unless it goes with what is destroyed")

            consent = Consent(
                show,
                lambda: agreement.agreed("Destroy all this?"),
                lambda found: agreement.removes(found, given=remove_foreign),
                agreement.read,
                foreign if remove_foreign else None,
            )
            ended = destroy(stacks, opened, consent, include_data=include_data, plan_only=plan_only)
    agreement.write(ended.code)
    lifecycle.tell_broken(ended.broken, ended.left_out, "the same command")
    if ended.code is Code.REFUSED:
        say("refused: nothing was destroyed", err=True)
    elif ended.code is Code.NOTHING_TO_DO and not any(ended.left.values()):
        say("nothing to do: the state is empty")
    else:
        _tell_left(ended.left)
    lifecycle.finish(ended.code, detailed=detailed)


@contextmanager
def _stacks(
    paths: Sequence[Path], state: str, simulate: Path | None, *, ephemeral: bool
) -> "Iterator[tuple[list[Stack], Mapping[str, Document]]]":
    """The stacks to destroy, without their resources; and the blueprints, by stack."""
    with ExitStack() as stack:
        if state:
            lifecycle.insist_on_posix()
            from clusterprint.lifecycle.from_state import stacks_of

            yield stack.enter_context(stacks_of(state, simulate)), {}
            return
        examined = lifecycle.sound(paths)
        from clusterprint.lifecycle.plan_review import documents_of
        from clusterprint.lifecycle.skeleton import skeletons
        from clusterprint.lifecycle.stack import synthesized

        made = stack.enter_context(synthesized(examined))
        if ephemeral:
            made = stack.enter_context(kept_here(made, simulate))
        yield stack.enter_context(skeletons(made)), documents_of(examined)


def _show(losing: "Mapping[str, Losing]", report: "Report", *, include_data: bool) -> None:
    from clusterprint.review.render import text

    say(text.render(report), nl=False, to=utf8(sys.stdout))
    for title, lines in (
        ("Data", _data(losing, include_data=include_data)),
        ("Protections that are removed", _protections(losing, include_data=include_data)),
        ("Stays", _kept(losing)),
    ):
        found = list(lines)
        if found:
            say("\n".join(["", title, *(f"  {line}" for line in found)]))


def _data(losing: "Mapping[str, Losing]", *, include_data: bool) -> Iterator[str]:
    for stack, each in losing.items():
        for resource in each.inventory.data:
            fate = "lost" if include_data else "kept (--include-data destroys it)"
            yield f"{fate}: {', '.join(resource.names)}, {resource.data} ({stack}: {resource.address})"


def _protections(losing: "Mapping[str, Losing]", *, include_data: bool) -> Iterator[str]:
    for stack, each in losing.items():
        for address, name in each.inventory.protections(with_data=include_data, kept=each.kept):
            yield f"{name} of {address} ({stack})"


def _kept(losing: "Mapping[str, Losing]") -> Iterator[str]:
    for stack, each in losing.items():
        rest = sorted(each.kept - {resource.address for resource in each.inventory.data})
        if rest:
            yield f"{', '.join(rest)} ({stack}): kept, because the data depends on it"
        for image in each.inventory.images:
            name = image.partition(" ")[0]
            yield (
                f"image {name} ({stack}), and those before it in its family, from which others may boot; "
                f"to delete it: gcloud compute images delete {image}"
            )


def _tell_left(left: Mapping[str, tuple[str, ...]]) -> None:
    for stack, addresses in left.items():
        if addresses:
            say(f"{stack}: {counted(len(addresses), 'resource')} left in the state: {', '.join(addresses)}")
        else:
            say(f"{stack}: everything is gone, and the state is empty")
