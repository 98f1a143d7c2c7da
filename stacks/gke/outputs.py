"""Outputs of the stack of a cluster."""

from collections.abc import Mapping

from constructs import Construct

from clusterprint.plan.gke.cluster import GkeClusterPlan
from stacks.gke.control_plane import ControlPlane
from stacks.gke.existing import ExistingCluster
from stacks.google.network import Network
from stacks.google.outputs import add_output
from stacks.google.service_account import ServiceAccount


class ClusterOutputs(Construct):
    """The outputs of a cluster, under the same names in every kind that has one."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        cluster: ControlPlane | ExistingCluster,
        networks: Mapping[str, Network],
        account: ServiceAccount | None,
        plan: GkeClusterPlan,
    ) -> None:
        super().__init__(scope, id)
        known = plan.outputs
        endpoint = cluster.dns_name if plan.reached.dns_endpoint else cluster.endpoint
        add_output(self, "connect", list(known.connect), "How to let kubectl talk to the cluster.")
        add_output(self, "endpoint", endpoint, "Where the control plane is reached.")
        add_output(
            self,
            "pools",
            {each.key: each.node.machine_type for each in (plan.system_pool, *plan.pools) if each},
            "Node pools and their machine types.",
        )
        add_output(
            self,
            "networks",
            {key: network.resource.name for key, network in networks.items()},
            "Networks that belong to the cluster.",
        )
        if account:
            who = {"nodes": account.email}
            add_output(self, "service_accounts", who, "Who nodes are when they call Google Cloud.")
        add_output(self, "dashboards", known.dashboards, "Where to look at the cluster.")
        add_output(self, "submit", list(known.submit), "How to run something in the cluster.")
        if known.secrets:
            add_output(self, "secrets", known.secrets, "How to give created secrets their values.")
        add_output(self, "state", known.state, "Where the Terraform state of this stack is.")
