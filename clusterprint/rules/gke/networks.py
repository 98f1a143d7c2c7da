from clusterprint.blueprint.gke.blueprint import GkeBlueprint
from clusterprint.blueprint.gke.cluster import AuthorizedNetwork, Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.network import ClusterNetwork
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import compute_domains, existing, gateways, network_names, node_pools
from clusterprint.rules import _listed_ranges
from clusterprint.rules.gke._pools import machine_label, number_label
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, known, rule


@rule("GKE067", severity=Severity.ERROR, firm=True)
def multi_networking_off(cluster: Cluster, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    if not given(cluster.multi_networking) or cluster.multi_networking:
        return
    for pool, layout in known(context.blueprint.node_pools, node_pools.layout):
        if layout.nics > 1:
            key = "second_network" if pool.second_network else "machine_type"
            help_text = "remove second_network of" if pool.second_network else "write gpu_networks: false for"
            yield Finding(
                f"pool {pool.name} has {layout.nics} networks, but multi_networking is off",
                context.at(cluster, "multi_networking"),
                also=(context.at(pool, key, text=f"{layout.nics} interfaces"),),
                help=f"remove multi_networking, or {help_text} the pool",
            )


@rule("GKE321", severity=Severity.ERROR)
def managed_networks_beside_own(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    if not node_pools.network_profile(pool):
        return
    layouts = known(context.blueprint.node_pools, node_pools.layout)
    other = next((each for each, layout in layouts if layout.nics > 1), None)
    if other is None:
        return
    said = given(pool.accelerator_network_profile)
    yield Finding(
        f"GKE manages the networks of pool {pool.name}, which cannot be combined with those of "
        f"pool {other.name}",
        context.at(pool, "accelerator_network_profile" if said else "machine_type"),
        also=(machine_label(other, context),),
        help="write accelerator_network_profile: auto for both pools, or for none"
        if said and node_pools.device_class(other)
        else "make another cluster for one of them",
    )


@rule("GKE069", severity=Severity.WARNING)
def primary_mtu_below_recommended(
    network: ClusterNetwork, context: Context[KubernetesBlueprint]
) -> Iterator[Finding]:
    if network.existing is not UNSET:
        return
    for pool, layout in known(context.blueprint.node_pools, node_pools.layout):
        # A network for RDMA alone has packets of its own.
        if layout.gpudirect != "none" and layout.mtu is not None and network.mtu < layout.mtu:
            yield Finding(
                f"mtu {network.mtu} is below the {layout.mtu} recommended for {pool.machine_type}",
                context.at(network, "mtu"),
                also=(machine_label(pool, context),),
                help="remove mtu",
            )
            return


@rule("GKE059", severity=Severity.ERROR, firm=True)
def network_of_gpus_named_as_primary(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    existing = blueprint.network.existing
    if existing is UNSET or existing.project not in (UNSET, blueprint.project):
        return
    if any(existing.name in _created(blueprint, pool) for pool in blueprint.node_pools):
        yield Finding(
            f"network {existing.name} is one that this cluster creates for its GPUs",
            context.at(existing, "name"),
            also=(context.at(blueprint, "name", text="names of its resources begin with this"),),
            help="name the nodes' primary network here, or give the cluster another name",
        )


def _created(blueprint: KubernetesBlueprint, pool: NodePool) -> tuple[str, ...]:
    """The networks that a pool needs besides the primary one."""
    layout, name = node_pools.layout(pool), blueprint.name
    tcp = (network_names.gpu_network(name, index) for index in range(layout.extra_vpcs))
    rdma = (
        network_names.zonal_rdma_network(name, zone, layout.rdma_word)
        for zone in node_pools.zones(blueprint, pool)
    )
    return (*tcp, network_names.host_network(name), *rdma) if layout.nics > 1 else ()


@rule("GKE171", severity=Severity.WARNING)
def nvlink_between_nodes_unused(pool: NodePool, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    blueprint = context.blueprint
    if isinstance(blueprint, GkeBlueprint) and given(blueprint.workloads.nvidia_dra):
        return
    if compute_domains.domain_nodes(pool) and node_pools.max_nodes(blueprint, pool) > 1:
        yield Finding(
            f"jobs on pool {pool.name} use RDMA between its nodes, not NVLink",
            number_label(pool, context),
            help="add `nvidia_dra: {}` to the workloads"
            if isinstance(blueprint, GkeBlueprint)
            else "ignore this warning, or use kind gke: pods of Ray cannot join an NVLink domain yet",
        )


@rule("GKE358", severity=Severity.NOTE)
def proxies_in_existing_network(blueprint: KubernetesBlueprint, context: Context) -> Iterator[Finding]:
    part = blueprint.cluster if existing.is_existing(blueprint) else blueprint.network
    of_google = gateways.has_proxies(blueprint) and not existing.is_plain(blueprint)
    if of_google and not existing.makes_network(blueprint):
        yield Finding(
            f"load balancers of {blueprint.name} need a proxy-only subnet of the existing network in "
            f"{blueprint.region}",
            context.at(part, "existing"),
            help="have its owner create one, unless there is one",
        )


@rule("GKE071", severity=Severity.WARNING)
def authorized_network_repeated(cluster: Cluster, context: Context) -> Iterator[Finding]:
    listed = known(cluster.authorized_networks, lambda each: each.cidr)
    yield from _listed_ranges.repeated((cidr, context.at(each, "cidr")) for each, cidr in listed)


@rule("GKE070", severity=Severity.WARNING)
def control_plane_open_to_internet(allowed: AuthorizedNetwork, context: Context) -> Iterator[Finding]:
    yield from _listed_ranges.open_to_internet(
        [(allowed.cidr, context.at(allowed, "cidr"))],
        "the control plane",
        help="name your own network, or use dns_endpoint: true instead of authorized networks",
    )


@rule("GKE068", severity=Severity.ERROR, firm=True)
def dataplane_v2_off(cluster: Cluster, context: Context[KubernetesBlueprint]) -> Iterator[Finding]:
    if cluster.dataplane_v2:
        return
    if given(cluster.multi_networking) and cluster.multi_networking:
        why, other = "multi_networking needs it", context.at(cluster, "multi_networking", text="needs it")
    else:
        pool = _pool_with_networks(cluster, context)
        if pool is None:
            return
        sort = "GPU" if node_pools.has_gpus(pool) else "TPU"
        why, other = f"the {sort} networks of pool {pool.name} need it", machine_label(pool, context)
        if pool.second_network:
            why = f"the second network of pool {pool.name} needs it"
            other = context.at(pool, "second_network", text="needs it")
    yield Finding(
        f"dataplane_v2 is off, but {why}",
        context.at(cluster, "dataplane_v2"),
        also=(other,),
        help="remove dataplane_v2",
    )


def _pool_with_networks(cluster: Cluster, context: Context[KubernetesBlueprint]) -> NodePool | None:
    """A pool with networks that GKE makes, or with ours, if another rule does not say that it has none."""
    refused = given(cluster.multi_networking) and not cluster.multi_networking
    pools = known(
        context.blueprint.node_pools,
        lambda pool: node_pools.network_profile(pool) or (not refused and node_pools.layout(pool).nics > 1),
    )
    return next((pool for pool, needs in pools if needs), None)
