"""Settings of the machines of a scale set, and their identity in Azure."""

from collections.abc import Iterator
from pathlib import Path

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.azure_volumes import AzureVolume
from clusterprint.blueprint.content import TextFile
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import azure_names, azure_volumes, scale_sets, slurm_queues, updates
from clusterprint.derived.texts import text_of
from clusterprint.plan.azure import GrantPlan, IdentityPlan, Scope
from clusterprint.plan.vmss_nodes import GpuVendor, NcclPlan, NodeSettings, Orchestration, SharePlan
from clusterprint.resolve import azure, azure_network

HEAD, NODES = "head", "nodes"

_IDENTITY = "Microsoft.ManagedIdentity/userAssignedIdentities"
_LUSTRE = "Microsoft.StorageCache/amlFilesystems"
_MACHINE = "Microsoft.Compute/virtualMachines"
_SCALE_SET = "Microsoft.Compute/virtualMachineScaleSets"

# What every file system of Azure Managed Lustre is called by its own servers.
_FILE_SYSTEM = "lustrefs"


def orchestration_of(blueprint: VmssBlueprint) -> Orchestration:
    """How the machines of the set are managed."""
    return "uniform" if scale_sets.is_uniform(blueprint.nodes) else "flexible"


def resolve_settings(blueprint: VmssBlueprint, folder: Path) -> NodeSettings:
    """The facts of the cluster that its machines need."""
    size = catalog.azure_size(blueprint.nodes.size)
    name, checks = blueprint.name, blueprint.health_checks
    return NodeSettings(
        cluster=name,
        admin_user=blueprint.admin.username,
        scale_set_id=azure.id_of(
            blueprint, _SCALE_SET, azure_names.scale_set(name, orchestration_of(blueprint))
        ),
        orchestration=orchestration_of(blueprint),
        head_id=azure.id_of(blueprint, _MACHINE, azure_names.head(name)),
        head_identity=azure.id_of(blueprint, _IDENTITY, azure_names.head_identity(name)),
        head_is_node=scale_sets.runs_jobs(blueprint.head_node),
        node_identity=azure.id_of(blueprint, _IDENTITY, azure_names.node_identity(name)),
        cluster_range=str(azure_network.machines_range(blueprint)),
        gpu_vendor=_vendor(size),
        gpus_per_node=size.gpus if size else 0,
        infiniband=scale_sets.has_infiniband(blueprint.nodes),
        nccl=_nccl(size),
        health_checks=checks.at_provisioning,
        dcgm_level=checks.dcgm_level,
        health_endpoint=checks.repair is not UNSET,
        security_type=blueprint.nodes.security_type,
        ssh_between_nodes=blueprint.nodes.ssh_between_nodes,
        shares=(
            *(_share(blueprint, each) for each in azure_volumes.shares(blueprint.storage)),
            *(_lustre(blueprint, each) for each in azure_volumes.lustres(blueprint.storage)),
        ),
        startup_script=_text(blueprint.startup_script, folder),
        head_startup_script=_text(blueprint.head_node.startup_script, folder),
        cloud_init=_text(blueprint.cloud_init, folder),
        head_cloud_init=_text(blueprint.head_node.cloud_init, folder),
        updates=updates.resolve_updates(blueprint.updates),
        slurm=slurm_queues.of_scale_set(blueprint, azure_network.head_address(blueprint)),
    )


def _vendor(size: catalog.AzureSize | None) -> GpuVendor:
    if size is None or not size.gpus:
        return "none"
    return "amd" if scale_sets.is_amd(size) else "nvidia"


def _nccl(size: catalog.AzureSize | None) -> NcclPlan:
    known = catalog.nccl(size.name) if size else None
    return NcclPlan(
        environment=known.environment if known else {},
        topology_file=size.nccl_topology if size else "",
        single_node_gb_per_s=known.single_node_gb_per_s if known else 0,
        multi_node_gb_per_s=known.multi_node_gb_per_s if known else 0,
    )


def _text(text: object, folder: Path) -> str:
    return text_of(text, folder) if isinstance(text, TextFile) else ""


def _share(blueprint: VmssBlueprint, share: AzureVolume) -> SharePlan:
    account = azure.resolve_account(blueprint, share)
    return SharePlan(
        kind=azure_volumes.share_kind(share),
        server=account.account,
        resource_id=account.id,
        share=account.share,
        mount=share.mount,
        read_only=share.access == "read_only",
        created=share.create,
    )


def _lustre(blueprint: VmssBlueprint, volume: AzureVolume) -> SharePlan:
    file_system = azure.id_of(blueprint, _LUSTRE, azure_names.lustre(blueprint.name))
    return SharePlan(
        kind="lustre",
        server="" if volume.address is UNSET else volume.address,
        resource_id=file_system if volume.create else "",
        share=_FILE_SYSTEM,
        mount=volume.mount,
        read_only=volume.access == "read_only",
        created=volume.create,
    )


def resolve_identities(name: str) -> tuple[IdentityPlan, ...]:
    """One for the head and one for the nodes: they need different rights."""
    return (
        IdentityPlan(key=HEAD, name=azure_names.head_identity(name)),
        IdentityPlan(key=NODES, name=azure_names.node_identity(name)),
    )


def resolve_grants(blueprint: VmssBlueprint) -> tuple[GrantPlan, ...]:
    """The least that the scripts on the machines need; docs/nodes-vmss.md says what for."""
    return tuple(_grants(blueprint))


def _grants(blueprint: VmssBlueprint) -> Iterator[GrantPlan]:
    # The machines of a flexible set are resources of their own, beside the set and not below it.
    flexible = orchestration_of(blueprint) == "flexible"
    members: Scope = "resource_group" if flexible else "scale_set"
    yield GrantPlan(key="head-reads-nodes", identity=HEAD, role="Reader", scope=members, share="")
    yield GrantPlan(key="head-tags-itself", identity=HEAD, role="Tag Contributor", scope="head", share="")
    yield GrantPlan(key="nodes-read-head", identity=NODES, role="Reader", scope="head", share="")
    if blueprint.time_to_live is not UNSET:
        role = "Virtual Machine Contributor"
        yield GrantPlan(key="head-stops-nodes", identity=HEAD, role=role, scope=members, share="")
        yield GrantPlan(key="head-stops-itself", identity=HEAD, role=role, scope="head", share="")
    if azure_volumes.created_lustre(blueprint.storage):
        for identity in (HEAD, NODES):
            key = f"{identity}-read-lustre"
            yield GrantPlan(key=key, identity=identity, role="Reader", scope="lustre", share="")
    role = "Storage Account Key Operator Service Role"
    for share in azure_volumes.shares(blueprint.storage):
        if share.protocol == "smb":
            for identity in (HEAD, NODES):
                yield GrantPlan(
                    key=f"{identity}-mount-{share.name}",
                    identity=identity,
                    role=role,
                    scope="account",
                    share=share.name,
                )
