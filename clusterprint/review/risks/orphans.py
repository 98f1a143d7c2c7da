"""What no blueprint asks for any more: Terraform is not run there again, so it stays, and costs."""

from collections.abc import Iterator, Sequence

from clusterprint.review.delta import Delta, get
from clusterprint.review.model import Risk
from clusterprint.review.risks._make import About
from clusterprint.review.scene import Scene
from clusterprint.words import counted


def orphans(scene: Scene) -> Iterator[Risk]:
    """A cluster whose blueprint is gone, or a stack that a blueprint needs no more."""
    if not scene.orphans:
        return
    about = About(scene)
    if scene.status == "orphaned":
        message = (
            f"no blueprint asks for cluster {scene.name} any more, and that destroys nothing: "
            f"{_left(scene)} stay and keep costing money, with their state at {_states(scene.orphans)}"
        )
        if scene.successor:
            message += f"; {scene.successor} is another cluster, which is built beside it"
        help_text = (
            f"to destroy it, keep the blueprint until that is done: {_how(scene, scene.deltas)}; "
            f"to keep it, keep its blueprint{' and its name' if scene.successor else ''}"
        )
        yield about.risk("cluster_orphaned", "high", message, help=help_text)
        return
    for stack, state in scene.orphans:
        inside = [each for each in scene.deltas if each.resource.stack == stack]
        message = (
            f"the blueprint needs no stack {stack} any more, and that destroys nothing: "
            f"its {counted(len(inside), 'resource')} stay, with their state at {state}"
        )
        help_text = f"to destroy it, do that before this change is merged: run terraform destroy in {stack}"
        yield about.risk("stack_orphaned", "medium", message, help=help_text)


def _left(scene: Scene) -> str:
    nodes = sum(each.nodes for each in scene.machines_before)
    resources = counted(len(scene.deltas), "resource")
    return f"its {counted(nodes, 'node')} and {resources}" if nodes else f"its {resources}"


def _states(found: Sequence[tuple[str, str]]) -> str:
    return ", ".join(state or stack for stack, state in found)


def _how(scene: Scene, deltas: Sequence[Delta]) -> str:
    """The steps in their order: what was deployed last is destroyed first."""
    guarded = any(
        get(each.resource.values, "deletion_protection") is True
        or get(each.resource.meta, "lifecycle.prevent_destroy") is True
        for each in deltas
    )
    stacks = " and then in ".join(stack for stack, _ in reversed(scene.orphans))
    first = "set cluster.deletion_protection to false and apply, then " if guarded else ""
    return f"{first}run terraform destroy in {stacks}"
