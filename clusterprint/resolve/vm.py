"""Decisions about `kind: vm`."""

from collections.abc import Sequence
from pathlib import Path

from clusterprint.blueprint.vm import VmBlueprint, VmNodes
from clusterprint.derived import names, node_groups, node_ray
from clusterprint.plan.google import NetworkPlan
from clusterprint.plan.vm import VmPlan
from clusterprint.resolve import google, network, vm_end
from clusterprint.resolve.state import resolve_labels, resolve_state
from clusterprint.resolve.vm_nodes import resolve_group
from clusterprint.resolve.vm_outputs import resolve_outputs
from clusterprint.resolve.vm_wait import resolve_wait

# Compute; IAM for the nodes' account, and the project's policy that grants it roles; what those roles
# write to; the proxy that SSH comes through.
SERVICES = (
    "cloudresourcemanager.googleapis.com",
    "compute.googleapis.com",
    "iam.googleapis.com",
    "iap.googleapis.com",
    "logging.googleapis.com",
    "monitoring.googleapis.com",
    "storage.googleapis.com",
)


def resolve(blueprint: VmBlueprint, folder: Path) -> tuple[VmPlan]:
    """Make the plan of a cluster of virtual machines, which is one stack."""
    groups = node_groups.groups(blueprint)
    resolved = tuple(resolve_group(blueprint, each, folder) for each in groups)
    state = resolve_state(blueprint, names.stacks(blueprint.kind, blueprint.name)[0])
    end = vm_end.resolve_end(blueprint, resolved)
    services = (*SERVICES, *(vm_end.SERVICES if end else ()))
    plan = VmPlan(
        name=blueprint.name,
        project=blueprint.project,
        region=blueprint.region,
        zone=blueprint.zone,
        labels=resolve_labels(blueprint),
        state=state,
        services=services if blueprint.enable_services else (),
        networks=_networks(blueprint, groups),
        nat=network.resolve_nat(
            blueprint.name, blueprint.network, public_ip=all(each.public_ip for each in groups)
        ),
        service_account=google.resolve_service_account(blueprint),
        buckets=tuple(google.resolve_bucket(each, blueprint.region) for each in blueprint.storage.buckets),
        upload=google.resolve_upload(blueprint, blueprint.files, folder),
        groups=resolved,
        outputs=resolve_outputs(blueprint, state, resolved),
        end=end,
        ray=node_ray.ray(blueprint, groups[0]),
        wait=resolve_wait(blueprint, resolved),
    )
    return (plan,)


def _networks(blueprint: VmBlueprint, groups: Sequence[VmNodes]) -> tuple[NetworkPlan, ...]:
    """The networks that all groups share; a network for RDMA is in the zone of those that have it."""
    layouts = [google.machine_of(each.machine_type).network for each in groups]
    zones = [node_groups.zone(blueprint, each) for each in groups]
    rdma_zones = [zone for zone, layout in zip(zones, layouts, strict=True) if layout.rdma_vpcs]
    zone = rdma_zones[0] if rdma_zones else blueprint.zone
    return network.resolve_networks(blueprint, node_groups.joint(layouts), zone)
