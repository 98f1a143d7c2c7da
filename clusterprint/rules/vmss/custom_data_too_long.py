from collections.abc import Iterator

from msgspec import UNSET

from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.diagnostic import Severity
from clusterprint.nodes.vmss import LIMIT, Role, encoded_size
from clusterprint.plan.vmss_nodes import NcclPlan, NodeSettings
from clusterprint.rules import _texts
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule(
    "AZ060",
    severity=Severity.ERROR,
    source="Azure: custom data and cloud-init on virtual machines",
    firm=True,
)
def custom_data_too_long(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """A start-up script is too long to be handed to the machines.

    Azure gives each machine 64 KiB of custom data, in which the scripts that set the machine up take their
    part. What does not fit even compressed is refused.

    Shorten the script, or let it fetch its larger parts.
    """
    roles: tuple[Role, ...] = ("node", "head")
    for role, script in zip(
        roles, (blueprint.startup_script, blueprint.head_node.startup_script), strict=True
    ):
        if script is UNSET:
            continue
        content = _texts.content(script, context)
        if content is None or not _texts.is_text(content):
            continue
        settings = _settings(
            blueprint.name, content.decode("utf-8", "ignore"), head_is_node=blueprint.head_node.in_scale_set
        )
        if encoded_size(role, settings) > LIMIT:
            yield Finding(
                f"{_texts.name(script)} is too long for the custom data of the {role}",
                context.at(script, _texts.field(script)),
                help="shorten it, or let it fetch its larger parts",
            )


def _settings(name: str, script: str, *, head_is_node: bool) -> NodeSettings:
    """What the machines are told, but for a few characters that depend on the rest of the blueprint."""
    long = "x" * 200
    return NodeSettings(
        cluster=name,
        admin_user="azureuser",
        scale_set_id=long,
        orchestration="uniform",
        head_id=long,
        head_identity=long,
        head_is_node=head_is_node,
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
    )
