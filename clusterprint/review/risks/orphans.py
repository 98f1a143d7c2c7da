"""Clusters and stacks without a blueprint: Terraform does not run there again, so they stay, and cost."""

from collections.abc import Iterator, Sequence

from clusterprint.review.compared import ComparedCluster
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About
from clusterprint.words import counted


def orphans(scene: ComparedCluster) -> Iterator[Risk]:
    """A cluster whose blueprint is gone, or a stack that a blueprint needs no more."""
    if not scene.orphans:
        return
    about = About(scene)
    if scene.status == "orphaned":
        message = (
            f"cluster {scene.name} has no blueprint any more, and nothing is destroyed: "
            f"{_left(scene)} stay and keep costing money; their state is at {_states(scene.orphans)}"
        )
        if scene.successor:
            message += f"; {scene.successor} is another cluster, which is built beside it"
        help_text = (
            f"to destroy it, run clusterprint down {scene.name} before this change is merged"
            f"{_afterwards(scene.orphans)}; to keep it, keep its blueprint"
            f"{' and its name' if scene.successor else ''}"
        )
        yield about.risk("cluster_orphaned", "high", message, help=help_text)
        return
    for stack, state in scene.orphans:
        inside = [each for each in scene.deltas if each.resource.stack == stack]
        message = (
            f"the blueprint has no stack {stack} any more, and nothing is destroyed: "
            f"its {counted(len(inside), 'resource')} stay; their state is at {state}"
        )
        how = f"clusterprint down --state {state}" if state else f"terraform destroy in {stack}"
        help_text = f"to destroy it, run {how}"
        yield about.risk("stack_orphaned", "medium", message, help=help_text)


def _left(scene: ComparedCluster) -> str:
    nodes = sum(each.nodes for each in scene.machines_before)
    resources = counted(len(scene.deltas), "resource")
    return f"its {counted(nodes, 'node')} and {resources}" if nodes else f"its {resources}"


def _states(found: Sequence[tuple[str, str]]) -> str:
    return ", ".join(state or stack for stack, state in found)


def _afterwards(found: Sequence[tuple[str, str]]) -> str:
    """How its stacks are destroyed without the blueprint; what was deployed last goes first."""
    commands = [f"clusterprint down --state {state}" for _, state in reversed(found) if state]
    return f", or {' and then '.join(commands)} afterwards" if len(commands) == len(found) else ""
