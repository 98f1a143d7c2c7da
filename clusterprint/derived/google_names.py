"""All names on Google Cloud, kind by kind, each with what it may look like, as a rule compares them."""

from collections.abc import Callable, Iterator

from clusterprint.blueprint import lineage
from clusterprint.blueprint.blueprint import Blueprint
from clusterprint.derived import names, network_names
from clusterprint.derived.name_forms import (
    GKE,
    LABEL_VALUE,
    RESOURCE,
    ROLE,
    SERVICE_ACCOUNT,
    TEMPLATE_PREFIX,
    Derived,
)
from clusterprint.derived.run_names import checksummed

_LAST_NODE = 999
_LAST_GPU_NETWORK = 15
_LONGEST_GROUP = "g" * 15
# The one with the longest last part, which is all of it that these names have.
_LONGEST_ZONE = "us-central1-ai1a"

# Of those that a policy of ours is named after, and of what an existing one is told by.
_LONGEST_PLACEMENT = "subblock"


def _longest_instance_group(name: str) -> str:
    """Of the second five hundred nodes with a policy; `of_zones` knows those of several zones."""
    return names.instance_group(name, _LONGEST_PLACEMENT, "1")


def _longest_image_builder(name: str) -> str:
    return names.image_builder(names.image(names.image_family(name), "0" * 12))


def _of_group(make: Callable[[str], str]) -> Callable[[str], str]:
    """The name of something that each group of nodes has, of the group with the longest name."""
    return lambda name: make(names.node_group(name, _LONGEST_GROUP))


_GOOGLE_VM: tuple[Derived, ...] = (
    Derived("network", network_names.network, RESOURCE),
    Derived("subnet", network_names.subnet, RESOURCE),
    Derived("GPU network", lambda name: network_names.gpu_network(name, _LAST_GPU_NETWORK), RESOURCE),
    Derived("GPU subnet", lambda name: network_names.gpu_subnet(name, _LAST_GPU_NETWORK), RESOURCE),
    Derived("RDMA network", network_names.rdma_network, RESOURCE),
    Derived("RDMA subnet", lambda name: network_names.rdma_subnet(name, _LAST_GPU_NETWORK), RESOURCE),
    Derived("firewall rule", network_names.internal_firewall, RESOURCE),
    Derived("GPU firewall rule", lambda name: network_names.gpu_firewall(name, _LAST_GPU_NETWORK), RESOURCE),
    Derived("SSH firewall rule", network_names.ssh_firewall, RESOURCE),
    Derived("router", network_names.router, RESOURCE),
    Derived("NAT", network_names.nat, RESOURCE),
    Derived("service account", names.service_account, SERVICE_ACCOUNT),
    Derived("role of the nodes", names.node_role, ROLE),
    Derived("health check", _of_group(names.health_check), RESOURCE),
    Derived("firewall rule of health checks", names.health_firewall, RESOURCE),
    Derived("instance template", _of_group(names.instance_template_prefix), TEMPLATE_PREFIX),
    Derived("machine that builds an image", _of_group(_longest_image_builder), RESOURCE),
    Derived("instance group", _of_group(_longest_instance_group), RESOURCE),
    Derived("resize request", _of_group(names.resize_request), RESOURCE),
    Derived("node", _of_group(lambda name: names.node(name, _LAST_NODE)), RESOURCE),
    Derived(
        "placement policy",
        _of_group(lambda name: names.placement_policy(name, _LONGEST_PLACEMENT)),
        RESOURCE,
    ),
    Derived("account that ends the cluster", names.end_account, SERVICE_ACCOUNT),
    Derived("role of the account that ends the cluster", names.end_role, ROLE),
    Derived("job that ends a group", _of_group(lambda name: names.end_job(name, "1")), RESOURCE),
    Derived(f"label {names.CLUSTER_LABEL}", lambda name: name, LABEL_VALUE),
)

_LAST_GPU_NETWORK_OF_POOLS = 7
_LONGEST_POOL = "p" * 40
_LONGEST_VOLUME = "v" * 20

_GKE: tuple[Derived, ...] = (
    Derived("network", network_names.network, RESOURCE),
    Derived("subnet", network_names.subnet, RESOURCE),
    Derived("range of pods", network_names.pod_range, RESOURCE),
    Derived("range of services", network_names.service_range, RESOURCE),
    Derived(
        "GPU network", lambda name: network_names.gpu_network(name, _LAST_GPU_NETWORK_OF_POOLS), RESOURCE
    ),
    Derived(
        "GPU firewall rule",
        lambda name: network_names.gpu_firewall(name, _LAST_GPU_NETWORK_OF_POOLS),
        RESOURCE,
    ),
    Derived("second host network", network_names.host_network, RESOURCE),
    Derived("firewall rule of the second host network", network_names.host_firewall, RESOURCE),
    Derived(
        "RDMA subnet",
        lambda name: network_names.zonal_rdma_subnet(name, _LONGEST_ZONE, _LAST_GPU_NETWORK_OF_POOLS),
        RESOURCE,
    ),
    Derived(
        "RDMA subnet of machines without GPUs",
        lambda name: network_names.zonal_rdma_subnet(name, _LONGEST_ZONE, 0, "falcon"),
        RESOURCE,
    ),
    Derived("firewall rule", network_names.internal_firewall, RESOURCE),
    Derived("router", network_names.router, RESOURCE),
    Derived("NAT", network_names.nat, RESOURCE),
    Derived("service account", names.service_account, SERVICE_ACCOUNT),
    Derived("placement policy", lambda name: names.pool_policy(name, _LONGEST_POOL), RESOURCE),
    Derived("GKE cluster", lambda name: name, GKE),
    Derived("service account of the TPU provisioner", names.tpu_provisioner, SERVICE_ACCOUNT),
    Derived("role of the TPU provisioner", names.tpu_provisioner_role, ROLE),
    Derived("build account", names.builder_account, SERVICE_ACCOUNT),
    Derived(f"label {names.CLUSTER_LABEL}", lambda name: name, LABEL_VALUE),
)

_RAY: tuple[Derived, ...] = (
    Derived("registry", lambda name: names.remote_registry(name, "docker"), RESOURCE),
    Derived("build pool", names.worker_pool, RESOURCE),
    Derived("proxy subnet", network_names.proxy_subnet, RESOURCE),
    Derived("dashboard", names.dashboard, RESOURCE),
)

_VOLUMES: tuple[Derived, ...] = (
    Derived("volume", lambda name: checksummed(names.volume(name, _LONGEST_VOLUME), ""), RESOURCE),
    Derived("range of private services", network_names.private_services, RESOURCE),
    Derived("firewall rule of Lustre", network_names.lustre_firewall, RESOURCE),
    Derived("firewall rule of Parallelstore", network_names.parallelstore_firewall, RESOURCE),
)

# What resources are called, by the type of blueprint that has them.
_OF_TYPE: dict[str, tuple[Derived, ...]] = {
    "GoogleBlueprint": _VOLUMES,
    "VmBlueprint": _GOOGLE_VM,
    "KubernetesBlueprint": _GKE,
    "RayBlueprint": _RAY,
}


def of_kind(kind: str) -> tuple[Derived, ...]:
    """The names of the resources of a kind on Google Cloud."""
    return tuple(each for name in lineage(kind) for each in _OF_TYPE.get(name, ()))


def of_zones(blueprint: Blueprint) -> Iterator[Derived]:
    """The longest name of instance groups of several zones; jobs that end them have shorter ones."""
    if blueprint.kind != "vm":
        return
    from clusterprint.blueprint.vm import VmBlueprint  # a twentieth of what other kinds load
    from clusterprint.derived import node_groups

    if not isinstance(blueprint, VmBlueprint):
        return
    for group in node_groups.groups(blueprint):
        zones = node_groups.zones(blueprint, group)
        if len(zones) > 1:
            yield _of_zone(node_groups.group_name(group), max(zones, key=len))


def _of_zone(group: str, zone: str) -> Derived:
    return Derived(
        f"instance group of {group} in {zone}",
        lambda name: names.instance_group(names.node_group(name, group), zone),
        RESOURCE,
    )
