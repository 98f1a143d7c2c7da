"""Decisions about the repair of unhealthy nodes of `kind: vm`."""

from msgspec import UNSET

from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_nodes import VmNodes
from clusterprint.derived import names, node_groups, ports
from clusterprint.plan.vm import HealthCheckPlan, HealthFirewallPlan
from clusterprint.resolve import network


def resolve_health_check(prefix: str, group: VmNodes) -> HealthCheckPlan | None:
    """Slow on purpose: a node is recreated for being broken, not for being busy or for a reboot."""
    if not group.health.repair:
        return None
    return HealthCheckPlan(
        name=names.health_check(prefix),
        port=ports.HEALTH,
        path="/",
        interval_seconds=60,
        timeout_seconds=20,
        unhealthy_threshold=10,
        initial_delay_seconds=900,
    )


def resolve_health_firewall(blueprint: VmBlueprint) -> HealthFirewallPlan | None:
    """The firewall of an existing network is its owner's."""
    repaired = any(each.health.repair for each in node_groups.groups(blueprint))
    if not repaired or blueprint.network.existing is not UNSET:
        return None
    return HealthFirewallPlan(
        name=names.health_firewall(blueprint.name),
        network=network.PRIMARY,
        ranges=ports.HEALTH_PROBES,
        port=ports.HEALTH,
    )
