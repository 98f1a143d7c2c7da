"""Settings of the machines of a blueprint, as far as rules look at them."""

from clusterprint.blueprint.content import TextFile
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived.scale_sets import runs_jobs
from clusterprint.derived.slurm_queues import of_scale_set
from clusterprint.derived.updates import resolve_updates
from clusterprint.nodes.vmss import Role
from clusterprint.plan.vmss_nodes import NcclPlan, NodeSettings
from clusterprint.rules import _texts
from clusterprint.rules.context import Context

ROLES: tuple[Role, ...] = ("node", "head")


def startup_script(blueprint: VmssBlueprint, role: Role) -> object:
    """The start-up script of a role, if it has one."""
    return blueprint.startup_script if role == "node" else blueprint.head_node.startup_script


def cloud_init(blueprint: VmssBlueprint, role: Role) -> object:
    """The cloud-init file of a role, if it has one."""
    return blueprint.cloud_init if role == "node" else blueprint.head_node.cloud_init


def readable(text: object, context: Context) -> str | None:
    """The text, as far as it is read here; None if there is none, or one that another rule speaks about."""
    if not isinstance(text, TextFile):
        return None
    content = _texts.content(text, context)
    return None if content is None or not _texts.is_text(content) else content.decode("utf-8", "ignore")


def settings(blueprint: VmssBlueprint, script: str, own: str) -> NodeSettings:
    """The settings of the machines, but for a few characters that depend on the rest of the blueprint."""
    long = "x" * 200
    return NodeSettings(
        cluster=blueprint.name,
        admin_user="azureuser",
        scale_set_id=long,
        orchestration="uniform",
        head_id=long,
        head_identity=long,
        head_is_node=runs_jobs(blueprint.head_node),
        node_identity=long,
        cluster_range="255.255.255.255/32",
        gpu_vendor="nvidia",
        gpus_per_node=8,
        infiniband=True,
        nccl=NcclPlan(environment={}, topology_file="", single_node_gb_per_s=0, multi_node_gb_per_s=0),
        health_checks=True,
        dcgm_level=2,
        health_endpoint=True,
        security_type="standard",
        ssh_between_nodes=True,
        shares=(),
        startup_script=script,
        head_startup_script=script,
        cloud_init=own,
        head_cloud_init=own,
        updates=resolve_updates(blueprint.updates),
        slurm=of_scale_set(blueprint, "255.255.255.255"),
    )
