"""An existing cluster: how it is reached, what nodes it has, and what it must have. It is never changed.

`cluster.existing` omits the control plane from the plan; the requirements of blueprint and workloads become
conditions on the data source, in each stack that uses it. They depend on nothing, so Terraform evaluates them
during the plan. Existing nodes are pools that nobody creates, with only the values that pods need. Stacks
without resources, for `down`, keep the data source and drop its conditions.
"""

from collections.abc import Iterator

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.components import Chart
from clusterprint.blueprint.gke.existing import ExistingNodes
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.derived import components, existing, node_pools, volume_mounts
from clusterprint.derived.kubectl_context import context_of
from clusterprint.errors import InternalError
from clusterprint.plan.gke.cluster import GkeClusterPlan, IdentityPlan
from clusterprint.plan.gke.pools import AcceleratorPlan, NodePlan, PoolPlan, TaintPlan
from clusterprint.plan.kubernetes import ClusterAccessPlan, ExistingPlan, ReachedPlan, RequirementPlan
from clusterprint.resolve.gke.control_plane import has_dns_endpoint
from clusterprint.resolve.gke.identity import resolve_identities
from clusterprint.resolve.gke.needs import Needs
from clusterprint.resolve.gke.pods import GPU

_CONSOLE = "https://console.cloud.google.com"

# Quotas of nodes whose number nobody has said set no limit.
_UNCOUNTED = 1_000_000

# Where the provider has add-ons, and what each is called by those who look for it.
_ADDONS = {
    "gcs_fuse": ("gcs_fuse_csi_driver_config", "Cloud Storage FUSE driver", "GcsFuseCsiDriver"),
    "filestore": ("gcp_filestore_csi_driver_config", "Filestore driver", "GcpFilestoreCsiDriver"),
    "lustre": ("lustre_csi_driver_config", "Managed Lustre driver", "LustreCsiDriver"),
    "parallelstore": ("parallelstore_csi_driver_config", "Parallelstore driver", "ParallelstoreCsiDriver"),
    "persistent_disk": (
        "gce_persistent_disk_csi_driver_config",
        "Persistent Disk driver",
        "GcePersistentDiskCsiDriver",
    ),
    "checkpoints": ("high_scale_checkpointing_config", "multi-tier checkpointing", "HighScaleCheckpointing"),
    "ray": ("ray_operator_config", "Ray add-on", "RayOperator"),
}


def resolve_reached(blueprint: KubernetesBlueprint) -> ReachedPlan:
    """How the cluster of a blueprint is reached, be it its own or somebody else's."""
    said = blueprint.cluster.existing
    if said is not UNSET and said.context is not UNSET:
        return ReachedPlan(
            name="",
            location="",
            project="",
            workload_pool="",
            dns_endpoint=False,
            context=said.context,
            login=f"kubectl config use-context {said.context}",
            dashboards={},
        )
    name, project = existing.name_of(blueprint), existing.project_of(blueprint)
    location = node_pools.location(blueprint)
    by_name = has_dns_endpoint(blueprint.cluster) if said is UNSET else said.dns_endpoint
    dns = " --dns-endpoint" if by_name else ""
    where = f"--location={location} --project={project}"
    return ReachedPlan(
        name=name,
        location=location,
        project=project,
        workload_pool=f"{project}.svc.id.goog",
        dns_endpoint=by_name,
        context=context_of(project, location, name),
        login=f"gcloud container clusters get-credentials {name} {where}{dns}",
        dashboards=_dashboards(name, location, project),
    )


def _dashboards(name: str, location: str, project: str) -> dict[str, str]:
    page = f"{_CONSOLE}/kubernetes/clusters/details/{location}/{name}"
    return {
        "cluster": f"{page}/details?project={project}",
        "nodes": f"{page}/nodes?project={project}",
        "observability": f"{page}/observability?project={project}",
    }


def adds_something(cluster: GkeClusterPlan) -> bool:
    """Whether there is anything to make outside of the cluster: for one of our own, at least that."""
    parts = (
        *(cluster.control_plane, cluster.pools, cluster.networks, cluster.buckets, cluster.volumes),
        *(cluster.secrets, cluster.builds.registries),
    )
    return any(parts) or any(map(_has_rights, cluster.identities))


def _has_rights(identity: IdentityPlan) -> bool:
    return any(
        (
            identity.roles,
            identity.buckets,
            identity.secrets,
            identity.regional_secrets,
            identity.service_account,
        )
    )


def resolve_access(blueprint: KubernetesBlueprint, cluster: GkeClusterPlan) -> ClusterAccessPlan:
    """How Terraform gets into the cluster: by the way in that is open from outside the network."""
    return ClusterAccessPlan(
        stack=cluster.name if adds_something(cluster) else "",
        dns_endpoint=cluster.reached.dns_endpoint,
        kubernetes_provider=blueprint.terraform.kubernetes_provider,
        helm_provider=blueprint.terraform.helm_provider,
        existing=cluster.existing,
        context=cluster.reached.context if existing.is_plain(blueprint) else "",
    )


def resolve_nodes(blueprint: KubernetesBlueprint) -> tuple[PoolPlan, ...]:
    """The nodes that are there, as far as pods need to know them; nobody makes them."""
    plain = existing.is_plain(blueprint)
    return tuple(_nodes(each, plain=plain) for each in existing.nodes(blueprint))


def _nodes(nodes: ExistingNodes, *, plain: bool) -> PoolPlan:
    taints = [TaintPlan(key=each.key, value=each.value, effect=each.effect.upper()) for each in nodes.taints]
    if nodes.gpus:
        # GKE puts it there, and so do most others; on nodes without it tolerating it does no harm.
        taints.append(TaintPlan(key=GPU, value="", effect="NO_SCHEDULE"))
    gpus = AcceleratorPlan(
        type="", count=nodes.gpus, driver="", partition_size="", sharing_strategy="", max_clients=0
    )
    return PoolPlan(
        key=nodes.name,
        group=nodes.name,
        zones=(),
        nodes_per_zone=0,
        autoscaling=None,
        max_nodes=_UNCOUNTED if nodes.count is UNSET else nodes.count,
        max_pods=0,
        node=NodePlan(
            machine_type="",
            image_type="",
            disk_type="",
            disk_size_gb=0,
            gvnic=False,
            image_streaming=False,
            accelerator=gpus if nodes.gpus else None,
            taints=tuple(taints),
        ),
        auto_repair=False,
        auto_upgrade=False,
        upgrade=None,
        create_minutes=0,
        delete_minutes=0,
        vcpus=0 if nodes.vcpus is UNSET else nodes.vcpus,
        memory_gb=0 if nodes.memory_gb is UNSET else nodes.memory_gb,
        architecture="amd64",
        # By the label that GKE puts on the nodes of a pool, where there is one.
        selector=nodes.labels if nodes.labels or plain or not nodes.name else None,
    )


def resolve_existing(blueprint: KubernetesBlueprint, needs: Needs) -> ExistingPlan | None:
    """A cluster of GKE that is there, with all that is wanted of it; None for any other."""
    if not existing.is_existing(blueprint) or existing.is_plain(blueprint):
        return None
    reached = resolve_reached(blueprint)
    return ExistingPlan(
        name=reached.name,
        location=reached.location,
        project=reached.project,
        google_provider=blueprint.terraform.google_provider,
        requirements=tuple(_requirements(blueprint, needs, reached)),
    )


def _requirements(
    blueprint: KubernetesBlueprint, needs: Needs, reached: ReachedPlan
) -> Iterator[RequirementPlan]:
    if reached.dns_endpoint:
        yield RequirementPlan(
            attribute="control_plane_endpoints_config[0].dns_endpoint_config[0].allow_external_traffic",
            value="true",
            message=f"Cluster {reached.name} lets nobody in by its DNS name: remove dns_endpoint, or have it "
            "switched on (gcloud container clusters update --enable-dns-access).",
        )
    yield from _versions(blueprint, needs, reached.name)
    wanted = {name for name in volume_mounts.DRIVERS.values() if volume_mounts.uses_driver(blueprint, name)}
    wanted |= {name for name, asked in _asked_addons(needs) if asked}
    yield from (_addon(name, reached.name) for name in sorted(wanted))
    if needs.acts or needs.checkpoints or resolve_identities(blueprint):
        yield RequirementPlan(
            attribute="workload_identity_config[0].workload_pool",
            value=reached.workload_pool,
            message=f"Cluster {reached.name} has no workload identity, by which its pods get rights: "
            "have it switched on (gcloud container clusters update --workload-pool="
            f"{reached.workload_pool}).",
        )
    if needs.makes_pools:
        yield RequirementPlan(
            attribute="release_channel[0].channel",
            value="UNSPECIFIED",
            message=f"Cluster {reached.name} is in a release channel, in which the provisioner cannot make "
            "pools: have it leave the channel (gcloud container clusters update --release-channel=None).",
        )
    if needs.gateway:
        yield RequirementPlan(
            attribute="gateway_api_config[0].channel",
            value="CHANNEL_STANDARD",
            message=f"Cluster {reached.name} has no Gateway API, which gateways need: have it switched on "
            "(gcloud container clusters update --gateway-api=standard).",
        )
    yield from _for_pools(blueprint, reached.name)
    for api in needs.beta_apis:
        yield RequirementPlan(
            attribute="enable_k8s_beta_apis[0].enabled_apis",
            value=api,
            contains=True,
            message=f"Cluster {reached.name} does not serve {api}, which nvidia_dra needs: have it enabled "
            "(gcloud container clusters update --enable-kubernetes-unstable-apis).",
        )


def _asked_addons(needs: Needs) -> tuple[tuple[str, bool], ...]:
    """Add-ons that what runs inside needs, besides drivers of volumes."""
    return (
        ("ray", needs.ray_operator),
        ("checkpoints", needs.checkpoints),
    )


def _for_pools(blueprint: KubernetesBlueprint, name: str) -> Iterator[RequirementPlan]:
    """The requirements of node pools for the existing cluster that they are added to."""
    if blueprint.node_pools:
        yield RequirementPlan(
            attribute="enable_autopilot",
            value="false",
            message=f"Cluster {name} is one of Autopilot, which takes no node pools: remove node_pools.",
        )
    if any(node_pools.layout(pool).nics > 1 for pool in blueprint.node_pools):
        yield RequirementPlan(
            attribute="enable_multi_networking",
            value="true",
            message=f"Cluster {name} has no multi-networking, which the networks between GPUs need: "
            "it can be chosen only when a cluster is made. Write gpu_networks: false, or take another one.",
        )
    if any(node_pools.network_profile(pool) for pool in blueprint.node_pools):
        yield RequirementPlan(
            attribute="datapath_provider",
            value="ADVANCED_DATAPATH",
            message=f"Cluster {name} has no Dataplane V2, which networks that GKE makes need: it can be "
            "chosen only when a cluster is made. Write gpu_networks: false, or take another one.",
        )


def _addon(name: str, cluster: str) -> RequirementPlan:
    block, words, gcloud = _ADDONS[name]
    return RequirementPlan(
        attribute=f"addons_config[0].{block}[0].enabled",
        value="true",
        message=f"Cluster {cluster} has no {words}, which this blueprint needs: have it switched on "
        f"(gcloud container clusters update --update-addons={gcloud}=ENABLED).",
    )


def _versions(blueprint: KubernetesBlueprint, needs: Needs, cluster: str) -> Iterator[RequirementPlan]:
    """The version that was said, those of components, and those that have the machines of pools."""
    if blueprint.cluster.version is not UNSET:
        said = blueprint.cluster.version
        yield _since(cluster, "cluster.version", (said,))
    for name, component, asked in components.installed(blueprint):
        chosen = isinstance(asked, Chart) and (asked.version is not UNSET or asked.location is not UNSET)
        if component.kubernetes and not chosen:
            yield _since(cluster, name, (component.kubernetes,))
    for pool in blueprint.node_pools:
        feature = catalog.gke_with(node_pools.kind(pool))
        if feature:
            yield _since(cluster, pool.machine_type, feature.since)
    if any(node_pools.network_profile(pool) for pool in blueprint.node_pools):
        yield _since(cluster, "accelerator_network_profile", catalog.gke_feature("dranet").since)
    if needs.models:
        yield _since(cluster, "inference", catalog.gke_feature("inference").since)
    if needs.checkpoints:
        yield _since(cluster, "checkpoints", catalog.gke_feature("checkpoints").since)
    if needs.ray_operator:
        yield _since(cluster, "the Ray add-on", catalog.gke_feature("ray-operator").since)


def _since(cluster: str, what: str, since: tuple[str, ...]) -> RequirementPlan:
    return RequirementPlan(
        attribute="master_version",
        since=tuple(_numbers(each) for each in since),
        message=f"The version of cluster {cluster} is older than {what} wants ({' or '.join(since)}): "
        "have it upgraded.",
    )


def _numbers(version: str) -> tuple[int, int, int]:
    """A version of which any patch or build will do, where none is said."""
    found = catalog.gke_version(version)
    if found is None:
        raise InternalError(f"{version} is no version of GKE")
    written = version.replace("-gke.", ".").count(".")
    return (found.minor, found.patch if written > 1 else 0, found.build if written > 2 else 0)  # noqa: PLR2004
