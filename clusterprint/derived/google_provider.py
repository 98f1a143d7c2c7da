"""Features of the Terraform provider google in the version that a blueprint asks for."""

from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.google import Terraform
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import volumes

#: The last version before 7, which is that of the bindings: it has none of what came later.
OLD = "6.50.0"

#: The version whose arguments are known: what is later is checked as if it were this one.
KNOWN = "7.45.0"

#: Fields that it has no argument for, by the names of their types. What is not given, or false or none,
#: needs none.
_NEWER: dict[str, tuple[str, ...]] = {
    "MaintenanceExclusion": ("until_end_of_support",),
    "DisruptionBudget": ("minor", "patch"),
    "Upgrades": ("exclude_until_end_of_support",),
    "NodeDrain": ("respect_disruption_budgets",),
    "NodeSystem": ("init_script", "memory_manager", "topology_manager"),
    "Addons": ("multi_tier_checkpointing",),
    "Workloads": ("checkpoints",),
    "NodePool": ("accelerator_network_profile", "gpudirect_strategy"),
    "VmBootDisk": ("pool",),
    "VmVolume": ("pool",),
}


def is_old(terraform: Terraform) -> bool:
    """Whether only what the bindings know can be used."""
    return terraform.google_provider == OLD


def facts_of(terraform: Terraform) -> str:
    """The version whose facts count for a blueprint."""
    return OLD if is_old(terraform) else KNOWN


def newer_fields(part: Part) -> Iterator[str]:
    """The settings of a part that the old provider version lacks."""
    for name in _NEWER.get(type(part).__name__, ()):
        if getattr(part, name) not in (UNSET, False, "none"):
            yield name
    if isinstance(part, GoogleVolume) and volumes.is_zonal_netapp(part):
        yield "tier"
    from clusterprint.blueprint.gke.pools import (
        NodePool,
    )  # few blueprints name a version: the others do without
    from clusterprint.derived import node_pools

    # Machines that have such a profile without a word.
    unsaid = isinstance(part, NodePool) and part.accelerator_network_profile is UNSET
    if isinstance(part, NodePool) and unsaid and node_pools.network_profile(part):
        yield "machine_type"
