"""The stack `<name>-cluster`, whatever runs inside the cluster."""

from ipaddress import IPv4Network

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.network import ClusterNetwork
from clusterprint.derived import existing, kms_keys, node_pools, state_names
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.google import BucketPlan
from clusterprint.plan.volumes import VolumesPlan
from clusterprint.resolve import bucket_volumes, google, kept_data, lustre_import, volumes
from clusterprint.resolve.gke.compute_classes import resolve_compute_classes, resolve_created
from clusterprint.resolve.gke.control_plane import resolve_control_plane
from clusterprint.resolve.gke.existing import resolve_existing, resolve_nodes, resolve_reached
from clusterprint.resolve.gke.identity import resolve_identities, resolve_secrets
from clusterprint.resolve.gke.monitoring import resolve_pages
from clusterprint.resolve.gke.needs import Needs
from clusterprint.resolve.gke.networks import resolve_nat, resolve_networks, resolve_proxies
from clusterprint.resolve.gke.outputs import resolve_outputs
from clusterprint.resolve.gke.placement import resolve_policies
from clusterprint.resolve.gke.pools import resolve_pools, resolve_system_pool
from clusterprint.resolve.gke.services import resolve_services
from clusterprint.resolve.keys import resolve_grants
from clusterprint.resolve.state import resolve_labels, resolve_state, state_address

# What GKE itself needs on a node, and to pull images of the project.
NODE_ROLES = ("roles/container.defaultNodeServiceAccount", "roles/artifactregistry.reader")


def resolve_cluster(blueprint: KubernetesBlueprint, needs: Needs = Needs()) -> GkeClusterPlan:  # noqa: B008 - frozen
    """Make the plan of the cluster; `needs` is what runs inside asks for."""
    stack = state_names.cluster_stack(blueprint.name)
    state = resolve_state(blueprint, stack)
    pools = resolve_pools(blueprint, needs)
    created = resolve_created(blueprint)
    own = not existing.is_existing(blueprint)
    reached = resolve_reached(blueprint)
    stored = _volumes(blueprint)
    kept = kept_data.on_google(stored, blueprint.terraform)
    return GkeClusterPlan(
        name=stack,
        cluster=blueprint.name,
        google_provider=blueprint.terraform.google_provider,
        project=blueprint.project,
        region=blueprint.region,
        zone=node_pools.default_zone(blueprint),
        labels=resolve_labels(blueprint),
        state=state,
        services=resolve_services(blueprint, needs) if blueprint.enable_services else (),
        networks=resolve_networks(blueprint),
        proxy_subnet=resolve_proxies(blueprint),
        nat=resolve_nat(blueprint),
        service_account=google.resolve_service_account(blueprint, NODE_ROLES)
        if own or pools or needs.makes_pools
        else None,
        key_grants=resolve_grants(kms_keys.granted(blueprint, registries=bool(needs.builds.registries))),
        buckets=_buckets(blueprint),
        volumes=stored,
        kept_data=kept,
        reached=reached,
        existing=resolve_existing(blueprint, needs),
        control_plane=resolve_control_plane(blueprint, needs) if own else None,
        policies=resolve_policies(blueprint),
        system_pool=resolve_system_pool(blueprint) if own else None,
        pools=pools,
        nodes=resolve_nodes(blueprint),
        created=created,
        compute_classes=resolve_compute_classes(blueprint, pools, created),
        secrets=resolve_secrets(blueprint),
        identities=(*resolve_identities(blueprint), *needs.identities),
        builds=needs.builds,
        pages=resolve_pages(blueprint),
        outputs=resolve_outputs(blueprint, reached, state_address(state)),
        scripts=lustre_import.scripts(stored) | kept_data.scripts(kept),
    )


def _buckets(blueprint: KubernetesBlueprint) -> tuple[BucketPlan, ...]:
    """Created ones and those with caches; not nodes but workloads use them, and have rights of their own."""
    listed = bucket_volumes.resolve_buckets(blueprint)
    return tuple(msgspec.structs.replace(each, role="") for each in listed if each.create or each.caches)


def _volumes(blueprint: KubernetesBlueprint) -> VolumesPlan | None:
    network = blueprint.network.existing
    host = UNSET if network is UNSET else network.project
    place = volumes.Place(
        terraform=blueprint.terraform,
        project=blueprint.project,
        cluster=blueprint.name,
        region=blueprint.region,
        zone=node_pools.default_zone(blueprint),
        network_project=blueprint.project if host is UNSET else host,
        network="" if network is UNSET else network.name,
        taken=_ranges(blueprint.network),
        pods=True,
        kms_key=kms_keys.of_all(blueprint),
    )
    # The port that others than GKE use is right for versions of its driver that a rule admits.
    return volumes.resolve_volumes(blueprint.storage, place)


def _ranges(network: ClusterNetwork) -> tuple[IPv4Network, ...]:
    """The range that the cluster's ranges are cut from, and those that are written."""
    parts = (network.cidr, network.node_cidr, network.pod_cidr, network.service_cidr, network.gpu_cidr)
    return tuple(IPv4Network(each) for each in parts if each is not UNSET)
