"""Both sources together: what Terraform planned, with the lines of the blueprints that are behind it."""

from collections.abc import Collection, Iterator, Sequence

from clusterprint.review.assemble import Gathered
from clusterprint.review.compared import ComparedCluster
from clusterprint.review.model import Status
from clusterprint.review.order import natural
from clusterprint.review.terraform_plan.gather import status


def combine(compared: Gathered, planned: Gathered) -> Gathered:
    """Use the plan instead of the comparison for each stack that has one."""
    by_stack = {stack: each for each in planned.scenes for stack in each.stacks}
    scenes = [_with_plan(each, by_stack) for each in compared.scenes]
    known = {stack for each in scenes for stack in each.stacks}
    scenes += [each for each in planned.scenes if not known & {*each.stacks}]
    return compared._replace(
        sources=(*compared.sources, *planned.sources),
        scenes=tuple(sorted(scenes, key=lambda each: natural(each.name))),
        commands=tuple(_command(each, planned.commands) for each in compared.commands),
        notes=(*compared.notes, *planned.notes, *_mixed(scenes, by_stack.keys())),
    )


def _command(compared: str, planned: Sequence[str]) -> str:
    """One command for both sources."""
    return " ".join([compared, *(each.removeprefix("clusterprint review ") for each in planned)])


def _with_plan(scene: ComparedCluster, plans: dict[str, ComparedCluster]) -> ComparedCluster:
    stacks = [stack for stack in scene.stacks if stack in plans]
    if not stacks:
        return scene
    deltas = [each for each in scene.deltas if each.resource.stack not in stacks]
    outputs = [each for each in scene.outputs if each[0] not in stacks]
    for stack in stacks:
        deltas += [each for each in plans[stack].deltas if each.resource.stack == stack]
        outputs += [each for each in plans[stack].outputs if each[0] == stack]
    return scene._replace(
        status=_status(scene, status(deltas, changes=bool(outputs))),
        # What Terraform plans to do there is no longer left alone.
        orphans=tuple(each for each in scene.orphans if each[0] not in stacks),
        deltas=tuple(deltas),
        outputs=tuple(outputs),
        drift=tuple(each for stack in stacks for each in plans[stack].drift if each.resource.stack == stack),
        checks=tuple(each for stack in stacks for each in plans[stack].checks if each.stack == stack),
    )


def _status(scene: ComparedCluster, planned: Status) -> Status:
    if scene.status in ("added", "removed") or (scene.status == "orphaned" and planned == "unchanged"):
        return scene.status
    return planned


def _mixed(scenes: Sequence[ComparedCluster], planned: Collection[str]) -> Iterator[str]:
    """Stacks that change without a plan."""
    missing = sorted(
        {
            each.resource.stack
            for scene in scenes
            for each in scene.deltas
            if each.action and each.resource.stack not in planned
        }
    )
    if missing:
        yield f"There is no Terraform plan of {', '.join(missing)}: its changes are computed without one."
