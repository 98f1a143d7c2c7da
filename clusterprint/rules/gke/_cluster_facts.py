"""Facts about a cluster, its network, storage and workloads, for relations."""

from datetime import timedelta
from typing import Any

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.compute_classes import AutoCreation
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.queues import Kueue
from clusterprint.blueprint.gke.secrets import Secret
from clusterprint.blueprint.volumes import KubernetesVolume
from clusterprint.derived import (
    compute_domains,
    existing,
    kms_keys,
    node_pools,
    volume_mounts,
)
from clusterprint.derived.durations import MOMENT, moment, seconds
from clusterprint.derived.provisioner import provisions_queued
from clusterprint.derived.queues import TOPOLOGY_SINCE, version
from clusterprint.rules._facts import Fact
from clusterprint.rules.gke._cluster_ranges import needs_gpu_networks
from clusterprint.rules.gke._keys import domain_of
from clusterprint.rules.gke._mounts import all_mounts
from clusterprint.rules.kit import Context, given, known, values

_Context = Context[KubernetesBlueprint]
_DAY = timedelta(days=1)
_SHORTEST_WINDOW = timedelta(hours=4)
# Namespaces of Kubernetes and of Google.
_SYSTEM = ("kube-system", "kube-public", "kube-node-lease")
_OF_GOOGLE = ("gke-", "gmp-")
# Keys of taints by which Kubernetes marks nodes with a problem.
_OF_CONTROLLER = ("node.kubernetes.io", "node.cloudprovider.kubernetes.io")
# In a resource group of Kueue's v1beta1; later versions take more.
_MOST_FLAVORS = 16
_EXCLUDING = ("no_upgrades", "no_minor_or_node_upgrades")


def foreign_key(part: Any, context: Context[Any]) -> str:
    """The location of the Cloud KMS key of a cluster or pool, if that is not the region of the blueprint."""
    key = part.secrets_kms_key if isinstance(part, Cluster) else part.boot_disk_kms_key
    location: str = key.split("/")[3] if given(key) else context.blueprint.region
    return "" if location == context.blueprint.region else location


def _span(part: Any) -> timedelta | None:
    """How long a window or an exclusion lasts; None where a moment is left out or does not exist."""
    start = moment(part.start)
    end = moment(part.end) if given(part.end) else None
    return end - start if start and end else None


def _is_reversed(part: Any, _: Context) -> bool:
    span = _span(part)
    return span is not None and span <= timedelta()


def _short_hours(part: Any, _: Context) -> float | bool:
    """The hours that a window is open, if GKE needs more."""
    span = _span(part)
    return span / timedelta(hours=1) if span and timedelta() < span < _SHORTEST_WINDOW else False


def _too_many_days(part: Any, _: Context) -> int | bool:
    span = _span(part)
    most = catalog.gke_limits().days_without_upgrades
    return span.days if span and span > most * _DAY else False


def _least_end(part: Any, _: Context) -> str:
    start = moment(part.start)
    return (start + _SHORTEST_WINDOW).strftime(MOMENT) if start else ""


def _missing_day(text: Any) -> str:
    """The day of a moment that the calendar does not have."""
    return text.partition("T")[0] if given(text) and moment(text) is None else ""


def _is_elsewhere(part: Any, context: _Context) -> bool:
    return not f"{part.location}-".startswith(f"{context.blueprint.region}-")


def _provisioner(context: Context[Any]) -> Any:
    blueprint = context.blueprint
    return blueprint.workloads.tpu_provisioner if isinstance(blueprint, GkeBlueprint) else UNSET


def _pools_of_queues(_: Any, context: _Context) -> bool:
    provisioner = _provisioner(context)
    queued = given(provisioner) and provisions_queued(provisioner)
    return bool(existing.pools(context.blueprint)) or queued


def _plugins(_: Any, context: _Context) -> bool:
    """Whether nodes get a plug-in of NCCL, or that cannot be known."""
    layouts = list(known(context.blueprint.node_pools, node_pools.layout))
    is_known = len(layouts) == len(context.blueprint.node_pools)
    return not is_known or any(layout.gpudirect != "none" for _, layout in layouts)


def _rights(identity: Any, context: _Context) -> bool:
    if identity.roles or identity.buckets or identity.secrets:
        return True
    return (identity.namespace, identity.name) in volume_mounts.bucket_users(context.blueprint)


def _readers(secret: Secret, context: _Context) -> bool:
    """Whether a workload may read a secret; those of other kinds name them elsewhere."""
    identities = context.blueprint.workload_identity
    names = (name for each in identities for _, name in values(each, "secrets"))
    return not isinstance(context.blueprint, GkeBlueprint) or secret.name in names


def _why_not_created(nodes: AutoCreation, _: Context) -> str:
    machine = catalog.machine(nodes.machine_type)
    if machine is None:
        return "" if catalog.tpu_type_of(nodes.machine_type) else "is not in the catalog"
    own = machine.network.fabric != "none"
    return f"has networks of its own, for {machine.network.fabric_in_words}" if own else ""


def _is_mounted_there(volume: KubernetesVolume, context: _Context) -> bool:
    mounts = (each.mount for each in all_mounts(context) if each.volume is volume)
    place = volume.mount.rstrip("/") if given(volume.mount) else ""
    return any(volume_mounts.path(each, volume) == place for each in mounts)


def _is_before_topology(kueue: Kueue, _: Context) -> bool:
    return given(kueue.version) and version(kueue.version) < TOPOLOGY_SINCE


def _project_of_cluster(_: Any, context: _Context) -> str:
    """The project of the cluster, if that is not the one of the blueprint."""
    home = existing.project_of(context.blueprint)
    return home if home != context.blueprint.project else ""


def _many(number: int, most: int) -> int:
    return number if number > most else False


def _seconds_of(field: str) -> Fact:
    def value(part: Any, _: Context) -> Any:
        given_for = getattr(part, field)
        return seconds(given_for) if given(given_for) else UNSET

    return Fact(field, value)


CLUSTER_FACTS = {
    "creates_nodes": Fact(
        "node_pools",
        lambda _, context: bool(context.blueprint.node_pools) or given(_provisioner(context)),
    ),
    "excludes_upgrades": Fact(
        "/cluster.maintenance",
        lambda _, context: any(
            each.scope in _EXCLUDING for each in context.blueprint.cluster.maintenance.exclusions
        ),
    ),
    "foreign_secrets_key": Fact("secrets_kms_key", foreign_key),
    "has_queued_pools": Fact(
        "/node_pools",
        lambda _, context: any(
            queued for _, queued in known(context.blueprint.node_pools, lambda pool: pool.capacity.queued)
        ),
    ),
    "gpu_networks": Fact("/node_pools", lambda _, context: needs_gpu_networks(context.blueprint)),
    "is_before_topology": Fact("version", _is_before_topology),
    "is_created": Fact("/network", lambda _, context: existing.makes_network(context.blueprint)),
    "is_elsewhere": Fact("location", _is_elsewhere),
    "is_foreign": Fact(
        "project",
        lambda part, context: (
            part.project != context.blueprint.project and bool(context.blueprint.node_pools)
        ),
    ),
    "is_mounted_there": Fact("mount", _is_mounted_there),
    "is_of_controller": Fact("key", lambda taint, _: domain_of(taint.key) in _OF_CONTROLLER),
    "is_of_system": Fact(
        "namespace",
        lambda part, _: part.namespace in _SYSTEM or part.namespace.startswith(_OF_GOOGLE),
    ),
    "is_reversed": Fact("end", _is_reversed),
    "is_state_bucket": Fact(
        "name", lambda bucket, context: bucket.name == context.blueprint.backend.gcs.bucket
    ),
    "keys": Fact("secrets_kms_key", lambda _, context: any(kms_keys.used(context.blueprint))),
    "least_end": Fact("end", _least_end),
    "location_of_key": Fact("name", foreign_key),
    "most_days": Fact("end", lambda *_: catalog.gke_limits().days_without_upgrades),
    "most_days_between": Fact("minor", lambda *_: catalog.gke_limits().days_between_upgrades),
    "most_exclusions": Fact("exclusions", lambda *_: catalog.gke_limits().maintenance_exclusions),
    "most_seconds_between": Fact(
        "minor", lambda *_: catalog.gke_limits().days_between_upgrades * _DAY.total_seconds()
    ),
    "no_channel_until": Fact("release_channel", lambda *_: catalog.gke_channels().no_channel_until),
    "no_end": Fact("end", lambda part, _: _missing_day(part.end)),
    "no_start": Fact("start", lambda part, _: _missing_day(part.start)),
    "no_such_share": Fact(
        "max_share_gb", lambda files, _: files.max_share_gb not in catalog.filestore_shares()
    ),
    "nvlink_pools": Fact(
        "/node_pools",
        lambda _, context: any(
            domain for _, domain in known(context.blueprint.node_pools, compute_domains.domain_nodes)
        ),
    ),
    "own_quotas": Fact("local_queues", lambda kueue, _: any(each.quotas for each in kueue.local_queues)),
    "plugins": Fact("/node_pools", _plugins),
    "pools_of_queues": Fact("/node_pools", _pools_of_queues),
    "project_of_cluster": Fact("/cluster.existing.project", _project_of_cluster),
    "readers": Fact("/workload_identity", _readers),
    "rights": Fact("roles", _rights),
    "seconds_of_minor": _seconds_of("minor"),
    "seconds_of_patch": _seconds_of("patch"),
    "short_hours": Fact("end", _short_hours),
    "sizes_of_shares": Fact("max_share_gb", lambda *_: [*catalog.filestore_shares()]),
    "too_many_days": Fact("end", _too_many_days),
    "too_many_exclusions": Fact(
        "exclusions",
        lambda part, _: _many(len(part.exclusions), catalog.gke_limits().maintenance_exclusions),
    ),
    "too_many_flavors": Fact(
        "/node_pools", lambda _, context: _many(len(context.blueprint.node_pools), _MOST_FLAVORS)
    ),
    "why_not_created": Fact("machine_type", _why_not_created),
}
