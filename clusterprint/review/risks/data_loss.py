"""Data that goes with the resource that holds it, and state that Terraform would no longer find."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from clusterprint.review import guards
from clusterprint.review.delta import Delta, get
from clusterprint.review.model import Risk
from clusterprint.review.risk_names import RiskName
from clusterprint.review.risks._make import About, goes
from clusterprint.review.scene import Scene

# What each type holds, and the name of its risk.
_HOLDS: dict[str, tuple[RiskName, str]] = {
    "google_storage_bucket": ("bucket_removed", "the objects in it"),
    "azurerm_storage_account": ("bucket_removed", "everything stored in it"),
    "azurerm_storage_container": ("bucket_removed", "the blobs in it"),
    "azurerm_storage_share": ("disk_removed", "the files in it"),
    "google_compute_disk": ("disk_removed", "the data on it"),
    # Whatever is on its disks: Compute Engine deletes no pool that still has one.
    "google_compute_storage_pool": ("disk_removed", "the capacity for its disks"),
    "azurerm_managed_disk": ("disk_removed", "the data on it"),
    "google_filestore_instance": ("disk_removed", "the files in it"),
    "google_filestore_snapshot": ("disk_removed", "the files as they were when it was taken"),
    "google_lustre_instance": ("disk_removed", "the files in it"),
    "google_netapp_volume": ("disk_removed", "the files in it"),
    "google_netapp_storage_pool": ("disk_removed", "the volumes in it"),
    "google_parallelstore_instance": ("disk_removed", "the files in it"),
    "azurerm_managed_lustre_file_system": ("disk_removed", "the files in it"),
    "azurerm_netapp_volume": ("disk_removed", "the files in it"),
    "azurerm_netapp_pool": ("disk_removed", "the volumes in it"),
    "kubernetes_persistent_volume": ("disk_removed", "the data on it, unless its reclaim policy keeps it"),
    "kubernetes_persistent_volume_claim": ("disk_removed", "the data on it, unless its class keeps it"),
    "google_artifact_registry_repository": ("registry_removed", "the images and packages in it"),
    "azurerm_container_registry": ("registry_removed", "the images in it"),
    "google_secret_manager_regional_secret": ("secret_removed", "all versions of it"),
    "google_secret_manager_secret": ("secret_removed", "all versions of it"),
    "azurerm_key_vault": ("secret_removed", "the keys and secrets in it"),
    "kubernetes_secret": ("secret_removed", "what it holds"),
}


def held_by(kind: str) -> tuple[RiskName, str] | None:
    """What goes with a resource of a type: the name of that risk, and in words; None if it holds no data."""
    return _HOLDS.get(kind.removesuffix("_v1"))


def is_store(kind: str) -> bool:
    """Whether a type of resource is, or is part of, a volume outside of Kubernetes."""
    held = held_by(kind)
    return held is not None and held[0] in ("bucket_removed", "disk_removed") and not kind.startswith("kube")


# Registries that hold nothing of their own.
_PASSING_ON = ("VIRTUAL_REPOSITORY", "REMOTE_REPOSITORY")

# What is only a way to data that stay: by type, the argument that says so, and which values of it do.
_WAYS: dict[str, tuple[str, Callable[[str], bool]]] = {
    "google_artifact_registry_repository": ("mode", lambda mode: mode in _PASSING_ON),
    "kubernetes_persistent_volume": ("spec.persistent_volume_reclaim_policy", lambda said: said == "Retain"),
    # A volume that was made for a claim, and may go with it, is called so.
    "kubernetes_persistent_volume_claim": (
        "spec.volume_name",
        lambda name: bool(name) and not name.startswith("pvc-"),
    ),
}

_REFUSED: dict[guards.Refusal, str] = {
    "plan": "Terraform refuses to plan that, because it is protected, so nothing is applied",
    "apply": "the apply fails there, because it is protected, and may have changed other things before",
}

_KEEP = "to keep it, revert this; to delete it, first apply a change that only "
_TWO_WORDS = f"{_KEEP}adds `deletion_protection: false` to its entry and its name to `storage.may_lose`"


def data_loss(scene: Scene) -> Iterator[Risk]:
    """Each resource that holds data and goes, and each stack whose state is looked for elsewhere."""
    about = About(scene)
    for delta in scene.deltas:
        held = held_by(delta.resource.type)
        if delta.destroys and held and not is_way(delta.resource.type, delta.resource.values):
            yield _loss(delta, *held, about)
    for stack, old, new in scene.states:
        yield about.risk(
            "state_moved",
            "critical",
            f"the state of stack {stack} is looked for at {new}, but it is at {old}: "
            "Terraform would find none and create everything a second time",
            help="copy the state first (terraform init -migrate-state), or keep bucket, prefix and name",
        )


def is_way(kind: str, values: Mapping[str, Any]) -> bool:
    """Whether something that goes holds nothing itself: what it leads to is another resource, or kept."""
    argument, leads = _WAYS.get(kind.removesuffix("_v1"), ("", bool))
    return bool(argument) and leads(str(get(values, argument, "")))


def _loss(delta: Delta, name: RiskName, what: str, about: About) -> Risk:
    message = f"{goes(delta)}, and with it {what}"
    refused = guards.refusal(delta, about.scene)
    if refused:
        help_text = _TWO_WORDS if is_store(delta.resource.type) else f"{_KEEP}takes off its protection"
        return about.risk(name, "high", f"{message}; {_REFUSED[refused]}", [delta], help_text)
    unless_empty = _refused_unless_empty(delta)
    if unless_empty:
        help_text = "to keep it, remove it from the state first (a removed block), then from the blueprint"
        return about.risk(name, "high", f"{message}; {unless_empty}", [delta], help_text)
    if is_store(delta.resource.type) and not about.scene.unguarded:
        message += "; nothing protects it"
    help_text = "save what is needed first, or remove it from the state (a removed block) to keep it"
    return about.risk(name, "critical", message, [delta], help_text)


def _refused_unless_empty(delta: Delta) -> str:
    """Who refuses to delete what is not protected, as long as there is something in it."""
    before = delta.before.values if delta.before else {}
    if delta.resource.type == "google_storage_bucket" and get(before, "force_destroy") is not True:
        return "Terraform refuses as long as it holds any, because force_destroy is false"
    if delta.resource.type == "google_compute_storage_pool":
        return "Compute Engine refuses as long as it has any"
    return ""
