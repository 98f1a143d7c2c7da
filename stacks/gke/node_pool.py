"""A node pool of a cluster."""

from collections.abc import Mapping, Sequence

from cdktf import TerraformResource, TerraformResourceLifecycle
from cdktf_cdktf_provider_google.container_node_pool import (
    ContainerNodePool,
    ContainerNodePoolAutoscaling,
    ContainerNodePoolNetworkConfig,
    ContainerNodePoolNetworkConfigAdditionalNodeNetworkConfigs,
    ContainerNodePoolPlacementPolicy,
    ContainerNodePoolTimeouts,
    ContainerNodePoolUpgradeSettings,
    ContainerNodePoolUpgradeSettingsBlueGreenSettings,
    ContainerNodePoolUpgradeSettingsBlueGreenSettingsStandardRolloutPolicy,
)
from constructs import Construct

from clusterprint.plan.gke.pools import AutoscalingPlan, PlacementPlan, PoolPlan, UpgradePlan
from stacks.arguments import set_arguments
from stacks.gke.control_plane import ControlPlane
from stacks.gke.existing import ExistingCluster
from stacks.gke.node_config import node_config
from stacks.google.network import Network
from stacks.google.placement_policy import PlacementPolicy
from stacks.google.provider import set_beyond


class NodePool(Construct):
    """Identical nodes.

    `policies` are workload policies by the name of the pool that they are for; `after` has to be there
    before the first node.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        cluster: ControlPlane | ExistingCluster,
        networks: Mapping[str, Network],
        policies: Mapping[str, PlacementPolicy],
        email: str,
        labels: dict[str, str],
        private: bool | None,
        after: Sequence[TerraformResource],
        plan: PoolPlan,
    ) -> None:
        super().__init__(scope, id)
        timeout = f"{plan.create_minutes}m"
        scaling = plan.autoscaling
        self.resource = ContainerNodePool(
            self,
            "Default",
            name=plan.key,
            cluster=cluster.name,
            location=cluster.location,
            node_count=None if scaling else plan.nodes_per_zone,
            initial_node_count=plan.nodes_per_zone if scaling else None,
            autoscaling=_autoscaling(scaling) if scaling else None,
            node_config=node_config(plan.node, email=email, labels=labels),
            network_config=_network_config(plan, networks, private=private),
            placement_policy=_placement(plan.placement, policies) if plan.placement else None,
            upgrade_settings=_upgrade(plan.upgrade) if plan.upgrade else None,
            timeouts=ContainerNodePoolTimeouts(
                create=timeout, update=timeout, delete=f"{plan.delete_minutes}m"
            ),
            depends_on=list(after),
            lifecycle=TerraformResourceLifecycle(ignore_changes=_ignored(plan)),
        )
        set_arguments(self.resource, plan)
        if plan.network_profile:
            set_beyond(self.resource, "network_config.accelerator_network_profile", plan.network_profile)
        if plan.gpudirect_strategy:
            set_beyond(self.resource, "node_config.gpudirect_strategy", plan.gpudirect_strategy)
        if plan.excluded_until_end_of_support:
            set_beyond(
                self.resource, "maintenance_policy", {"exclusion_until_end_of_support": {"enabled": True}}
            )
        if plan.drain_respects_budgets:
            set_beyond(self.resource, "node_drain_config", {"respect_pdb_during_node_pool_deletion": True})


def _ignored(plan: PoolPlan) -> list[str]:
    """The initial number of nodes says nothing about a pool later, but another one would recreate it.

    Where GKE makes networks, it adds a label to those of the pool, which each plan would take off again.
    """
    label = ['node_config[0].labels["gke.networks.io/accelerator-network-profile"]']
    # GKE returns no type for nodes that a workload policy places; each plan would recreate the pool.
    by_policy = plan.placement is not None and (plan.placement.policy or plan.placement.existing)
    return [
        "initial_node_count",
        *(label if plan.network_profile else []),
        *(["placement_policy[0].type"] if by_policy else []),
    ]


def _autoscaling(plan: AutoscalingPlan) -> ContainerNodePoolAutoscaling:
    if plan.per_zone:
        return ContainerNodePoolAutoscaling(
            min_node_count=plan.min, max_node_count=plan.max, location_policy=plan.location_policy
        )
    return ContainerNodePoolAutoscaling(
        total_min_node_count=plan.min, total_max_node_count=plan.max, location_policy=plan.location_policy
    )


def _network_config(
    plan: PoolPlan, networks: Mapping[str, Network], *, private: bool | None
) -> ContainerNodePoolNetworkConfig | None:
    """Where nodes are connected besides the primary network, in the order of their cards.

    Without `private`, the cluster says whether they have public addresses.
    """
    if private is None and not plan.interfaces:
        return None
    return ContainerNodePoolNetworkConfig(
        enable_private_nodes=private,
        additional_node_network_configs=[
            ContainerNodePoolNetworkConfigAdditionalNodeNetworkConfigs(
                network=networks[each.network].resource.name,
                subnetwork=networks[each.network].subnets[each.subnet].name,
            )
            for each in plan.interfaces
        ]
        or None,
    )


def _placement(
    plan: PlacementPlan, policies: Mapping[str, PlacementPolicy]
) -> ContainerNodePoolPlacementPolicy:
    return ContainerNodePoolPlacementPolicy(
        type="COMPACT",
        policy_name=policies[plan.policy].resource.name if plan.policy else plan.existing or None,
        tpu_topology=plan.tpu_topology or None,
    )


def _upgrade(plan: UpgradePlan) -> ContainerNodePoolUpgradeSettings:
    if plan.strategy == "SURGE":
        return ContainerNodePoolUpgradeSettings(
            strategy=plan.strategy, max_surge=plan.max_surge, max_unavailable=plan.max_unavailable
        )
    return ContainerNodePoolUpgradeSettings(
        strategy=plan.strategy,
        blue_green_settings=ContainerNodePoolUpgradeSettingsBlueGreenSettings(
            node_pool_soak_duration=f"{plan.pool_soak_seconds}s",
            standard_rollout_policy=ContainerNodePoolUpgradeSettingsBlueGreenSettingsStandardRolloutPolicy(
                batch_node_count=plan.batch_nodes, batch_soak_duration=f"{plan.batch_soak_seconds}s"
            ),
        ),
    )
