"""The sentence about protected volumes that a change creates."""

from collections.abc import Iterator

from clusterprint.review import guards, ideas
from clusterprint.review.risks.data_loss import is_store
from clusterprint.review.scene import Scene

# What belongs to a volume that is a resource as well.
_PARTS = (
    "azurerm_netapp_pool", "azurerm_storage_account", "google_filestore_snapshot",
    "google_netapp_storage_pool",
)  # fmt: skip


def protections(scene: Scene) -> Iterator[str]:
    """The sentence, if there is any."""
    side = scene.resources_after
    found = [
        ideas.title(each.after)
        for each in scene.deltas
        if each.action == "added" and each.after and is_store(each.after.type)
        if each.after.type not in _PARTS and guards.is_protected(each.after, side)
    ]
    if found:
        yield (
            "Protected, until their entries say `deletion_protection: false` and `storage.may_lose` names "
            f"them: {', '.join(found)}."
        )
