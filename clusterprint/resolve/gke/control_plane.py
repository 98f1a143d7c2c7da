"""The GKE cluster without its nodes."""

from msgspec import UNSET

from clusterprint.blueprint.gke.cluster import Cluster
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.maintenance import DisruptionBudget, Maintenance
from clusterprint.derived import (
    cluster_pages,
    durations,
    google_provider,
    kms_keys,
    node_pools,
    volume_mounts,
)
from clusterprint.plan.gke.control_plane import (
    AddonsPlan,
    AuthorizedNetworkPlan,
    ControlPlanePlan,
    DisruptionBudgetPlan,
    ExclusionPlan,
    MonitoringPlan,
    WindowPlan,
)
from clusterprint.resolve.copied_fields import carried
from clusterprint.resolve.gke.needs import Needs
from clusterprint.resolve.gke.networks import resolve_cluster_network

# Exclusions and budgets need some window; this one is at night in Europe and in the evening in America.
_DAILY_START = "03:00"

_WAIT_MINUTES = 60


def resolve_control_plane(blueprint: KubernetesBlueprint, needs: Needs) -> ControlPlanePlan:
    """Decide everything about the cluster itself."""
    cluster = blueprint.cluster
    regional = cluster.location == "regional"
    zone = node_pools.default_zone(blueprint)
    networks = cluster.authorized_networks
    return ControlPlanePlan(
        **carried(ControlPlanePlan, cluster, "secrets_kms_key"),
        secrets_kms_key=kms_keys.of(cluster.secrets_kms_key, blueprint),
        name=blueprint.name,
        wait_minutes=_WAIT_MINUTES,
        location=node_pools.location(blueprint),
        # Only for the nodes that GKE makes first and that are removed again; pools have zones of their own.
        node_locations=(zone,) if regional else (),
        network=resolve_cluster_network(blueprint),
        minimum_version="" if cluster.version is UNSET else cluster.version,
        window=_window(cluster.maintenance),
        exclusions=_exclusions(cluster.maintenance),
        disruption_budget=_budget(cluster.maintenance.disruption_budget),
        authorized_networks=tuple(AuthorizedNetworkPlan(name=each.name, cidr=each.cidr) for each in networks),
        private_endpoint=not networks,
        dns_endpoint=has_dns_endpoint(cluster),
        multi_networking=_multi_networking(blueprint),
        workload_pool=f"{blueprint.project}.svc.id.goog",
        addons=_addons(blueprint, needs),
        monitoring=_monitoring(blueprint),
        beta_apis=needs.beta_apis,
        gateway=needs.gateway,
        fleet=blueprint.project if cluster.fleet else "",
        shielded_nodes=not any(node_pools.is_bare_metal(pool) for pool in blueprint.node_pools),
    )


def has_dns_endpoint(cluster: Cluster) -> bool:
    """Whether the control plane is reached by name from outside: by default, as the only way in."""
    return not cluster.authorized_networks if cluster.dns_endpoint is UNSET else cluster.dns_endpoint


def _window(maintenance: Maintenance) -> WindowPlan | None:
    if maintenance.window is not UNSET:
        window = maintenance.window
        return WindowPlan(daily_start="", start=window.start, end=window.end, recurrence=window.recurrence)
    more = maintenance.exclusions or _budget(maintenance.disruption_budget)
    if maintenance.daily_start is UNSET and not more:
        return None
    start = _DAILY_START if maintenance.daily_start is UNSET else maintenance.daily_start
    return WindowPlan(daily_start=start, start="", end="", recurrence="")


def _exclusions(maintenance: Maintenance) -> tuple[ExclusionPlan, ...]:
    return tuple(
        ExclusionPlan(
            name=each.name,
            start=each.start,
            end="" if each.until_end_of_support or each.end is UNSET else each.end,
            scope=each.scope.upper(),
        )
        for each in maintenance.exclusions
    )


def _budget(budget: DisruptionBudget) -> DisruptionBudgetPlan | None:
    minor, patch = (0 if each is UNSET else durations.seconds(each) for each in (budget.minor, budget.patch))
    return DisruptionBudgetPlan(minor_seconds=minor, patch_seconds=patch) if minor or patch else None


def _multi_networking(blueprint: KubernetesBlueprint) -> bool:
    if blueprint.cluster.multi_networking is not UNSET:
        return blueprint.cluster.multi_networking
    return any(node_pools.layout(pool).nics > 1 for pool in blueprint.node_pools)


def _addons(blueprint: KubernetesBlueprint, needs: Needs) -> AddonsPlan:
    """The requested add-ons, and the drivers of the volumes."""
    addons = blueprint.cluster.addons
    drivers = {
        name: getattr(addons, name) or volume_mounts.uses_driver(blueprint, name)
        for name in volume_mounts.DRIVERS.values()
    }
    return AddonsPlan(
        **carried(AddonsPlan, addons, "ray", "multi_tier_checkpointing", *drivers),
        **drivers,
        ray=addons.ray or needs.ray_operator,
        multi_tier_checkpointing=_checkpointing(blueprint, needs),
    )


def _checkpointing(blueprint: KubernetesBlueprint, needs: Needs) -> bool | None:
    """The provider of old has no word for it, not even to say no."""
    said = blueprint.cluster.addons.multi_tier_checkpointing
    if needs.checkpoints:
        return True
    return None if said is UNSET or google_provider.is_old(blueprint.terraform) else said


def _monitoring(blueprint: KubernetesBlueprint) -> MonitoringPlan:
    monitoring = blueprint.cluster.monitoring
    wanted = {
        "DCGM": cluster_pages.has_gpu_metrics(blueprint),
        "JOBSET": cluster_pages.has_jobset_metrics(blueprint),
    }
    return MonitoringPlan(
        **carried(MonitoringPlan, monitoring),
        logs=("SYSTEM_COMPONENTS", "WORKLOADS") if monitoring.workload_logs else ("SYSTEM_COMPONENTS",),
        metrics=(
            "SYSTEM_COMPONENTS",
            *(each.upper() for each in dict.fromkeys(monitoring.extra_metrics)),
            *(name for name, needed in wanted.items() if needed),
        ),
    )
