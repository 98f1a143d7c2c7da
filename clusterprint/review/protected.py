"""The sentence about protected volumes that a change creates."""

from collections.abc import Iterator

from clusterprint.resource_types import resource_type
from clusterprint.review import guards, ideas
from clusterprint.review.compared import ComparedCluster


def _is_volume(type_: str) -> bool:
    known = resource_type(type_)
    return known.is_store and known.data is not None and not known.data.is_part


def protections(scene: ComparedCluster) -> Iterator[str]:
    """The sentence, if there is any."""
    side = scene.resources_after
    found = [
        ideas.title(each.after)
        for each in scene.deltas
        if each.action == "added" and each.after and _is_volume(each.after.type)
        if guards.is_protected(each.after, side)
    ]
    if found:
        yield (
            "Protected, until their entries say `deletion_protection: false` and `storage.may_lose` names "
            f"them: {', '.join(found)}."
        )
