"""Decisions about `kind: vm`."""

from collections.abc import Sequence
from ipaddress import IPv4Network
from pathlib import Path

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import (
    cooperation,
    kms_keys,
    names,
    node_containers,
    node_groups,
    node_ray,
    node_slurm,
    state_names,
    vm_runs,
)
from clusterprint.plan.google import CustomRolePlan, ImageRepositoryPlan, NetworkPlan
from clusterprint.plan.vm import VmPlan
from clusterprint.resolve import bucket_volumes, google, kept_data, lustre_import, network, vm_end, volumes
from clusterprint.resolve.keys import resolve_grants
from clusterprint.resolve.state import resolve_labels, resolve_state
from clusterprint.resolve.vm_arrival import scripts
from clusterprint.resolve.vm_health import resolve_health_firewall
from clusterprint.resolve.vm_images import resolve_images
from clusterprint.resolve.vm_monitoring import resolve_monitoring
from clusterprint.resolve.vm_nodes import resolve_group
from clusterprint.resolve.vm_outputs import resolve_outputs
from clusterprint.resolve.vm_runs import resolve_runs
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
    repositories = _image_repositories(blueprint, groups)
    described = resolve_runs(blueprint, folder)
    state = resolve_state(blueprint, state_names.stacks(blueprint.kind, blueprint.name)[0])
    wait = resolve_wait(blueprint, resolved)
    end = vm_end.resolve_end(blueprint, resolved)
    images = resolve_images(blueprint, groups, folder)
    stored = volumes.resolve_volumes(blueprint.storage, _place(blueprint))
    kept = kept_data.on_google(stored, blueprint.terraform)
    grants = resolve_grants(kms_keys.of_vm(blueprint)) if blueprint.grant_kms_key else ()
    services = (
        *SERVICES,
        *(vm_end.SERVICES if end else ()),
        *(("artifactregistry.googleapis.com",) if repositories else ()),
        *volumes.services(blueprint.storage),
        *(("cloudkms.googleapis.com",) if grants else ()),
        *blueprint.more_services,
    )
    plan = VmPlan(
        name=blueprint.name,
        google_provider=blueprint.terraform.google_provider,
        project=blueprint.project,
        region=blueprint.region,
        zone=blueprint.zone,
        labels=resolve_labels(blueprint),
        state=state,
        services=tuple(sorted(set(services))) if blueprint.enable_services else (),
        networks=_networks(blueprint, groups),
        nat=network.resolve_nat(
            blueprint.name, blueprint.network, public_ip=all(each.public_ip for each in groups)
        ),
        service_account=google.resolve_service_account(blueprint),
        role=_role(blueprint),
        health_firewall=resolve_health_firewall(blueprint),
        buckets=tuple(bucket_volumes.resolve_buckets(blueprint)),
        volumes=stored,
        kept_data=kept,
        upload=google.resolve_upload(
            blueprint, vm_runs.files(blueprint), folder, tuple(each.text for each in described)
        ),
        runs=tuple(each.plan for each in described),
        image_repositories=repositories,
        groups=resolved,
        images=tuple(images),
        scripts=scripts(resolved, wait, images) | lustre_import.scripts(stored) | kept_data.scripts(kept),
        outputs=resolve_outputs(blueprint, state, resolved),
        end=end,
        ray=node_ray.ray(blueprint, groups[0]),
        slurm=node_slurm.slurm(blueprint),
        wait=wait,
        monitoring=resolve_monitoring(blueprint),
        key_grants=grants,
    )
    return (plan,)


def _place(blueprint: VmBlueprint) -> volumes.Place:
    existing = blueprint.network.existing
    host = UNSET if existing is UNSET else existing.project
    return volumes.Place(
        terraform=blueprint.terraform,
        project=blueprint.project,
        cluster=blueprint.name,
        region=blueprint.region,
        zone=blueprint.zone,
        network_project=blueprint.project if host is UNSET else host,
        network="" if existing is UNSET else existing.name,
        taken=(IPv4Network(blueprint.network.cidr),),
        pods=False,
        kms_key=kms_keys.of_all(blueprint),
    )


def _role(blueprint: VmBlueprint) -> CustomRolePlan | None:
    """With an account of somebody else's its owner gives the rights."""
    if not cooperation.needs_role(blueprint) or blueprint.service_account.email is not UNSET:
        return None
    return CustomRolePlan(
        role_id=names.node_role(blueprint.name),
        title=f"Nodes of {blueprint.name}",
        description="Nodes find each other, and read what each says of itself.",
        permissions=cooperation.permissions(blueprint),
    )


def _image_repositories(
    blueprint: VmBlueprint, groups: tuple[VmNodes, ...]
) -> tuple[ImageRepositoryPlan, ...]:
    """Repositories of this project; of others, and of the whole project, their owner grants rights."""
    return tuple(
        ImageRepositoryPlan(
            project=each.project, location=each.location, name=each.name, role="roles/artifactregistry.reader"
        )
        for each in node_containers.own_repositories(blueprint, groups)
    )


def _networks(blueprint: VmBlueprint, groups: Sequence[VmNodes]) -> tuple[NetworkPlan, ...]:
    """The networks that all groups share; a network for RDMA is in the zone of those that have it."""
    layouts = [node_groups.with_extra(google.machine_of(each.machine_type).network, each) for each in groups]
    zones = [node_groups.zone(blueprint, each) for each in groups]
    rdma_zones = [zone for zone, layout in zip(zones, layouts, strict=True) if layout.rdma_vpcs]
    zone = rdma_zones[0] if rdma_zones else blueprint.zone
    return network.resolve_networks(blueprint, node_groups.joint(layouts), zone)
