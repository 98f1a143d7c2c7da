"""The stack `<name>-cluster`: a GKE cluster with its networks and nodes."""

from collections.abc import Mapping

from cdktf import GcsBackend, TerraformResource, TerraformStack
from cdktf_cdktf_provider_google.compute_subnetwork import ComputeSubnetwork
from constructs import Construct

from clusterprint.errors import InternalError
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.google import SubnetPlan
from clusterprint.plan.volumes import VolumesPlan
from stacks.addresses import addressed
from stacks.gke.builds import make_builds
from stacks.gke.control_plane import ControlPlane
from stacks.gke.existing import ExistingCluster
from stacks.gke.identity import Identities
from stacks.gke.init_scripts import InitScripts
from stacks.gke.node_pool import NodePool
from stacks.gke.outputs import ClusterOutputs
from stacks.gke.secret import Secret
from stacks.gke.volumes import FileSystem, file_systems
from stacks.google.bucket import Bucket
from stacks.google.key_grants import KeyGrants
from stacks.google.monitoring import Monitoring
from stacks.google.nat import Nat
from stacks.google.network import Network
from stacks.google.placement_policy import PlacementPolicy
from stacks.google.private_services import PrivateServices
from stacks.google.provider import require_google
from stacks.google.service_account import ServiceAccount
from stacks.google.services import Services
from stacks.google.volumes import Volumes
from stacks.kept_data import KeptData


def build(scope: Construct, plan: GkeClusterPlan, built: Mapping[str, TerraformStack]) -> TerraformStack:  # noqa: ARG001 - refers to no other stack
    """Make the stack of a plan."""
    return ClusterStack(scope, plan)


class ClusterStack(TerraformStack):
    """A GKE cluster: names its parts and wires them.

    For stacks that run something inside: `cluster` is the control plane (endpoint, certificate), `pools`
    are the node pools by key, `account` is who the nodes are, `volumes` where file systems are by volume.
    """

    def __init__(self, scope: Construct, plan: GkeClusterPlan) -> None:
        super().__init__(scope, plan.name)
        GcsBackend(self, bucket=plan.state.bucket, prefix=plan.state.prefix)
        require_google(self, plan.google_provider, project=plan.project, region=plan.region, zone=plan.zone)
        self._plan = plan
        # The APIs come before everything that has no other reason to wait.
        self.enabled = [Services(self, "services", services=plan.services).resource] if plan.services else []
        self.networks = {
            each.key: Network(self, each.key, after=self.enabled, plan=each) for each in plan.networks
        }
        if plan.proxy_subnet:
            self._make_proxies(plan.proxy_subnet)
        self.account = (
            ServiceAccount(
                self, "account", project=plan.project, after=self.enabled, plan=plan.service_account
            )
            if plan.service_account
            else None
        )
        self._key_grants = (
            KeyGrants(self, "keys", project=plan.project, after=self.enabled, plans=plan.key_grants).resources
            if plan.key_grants
            else []
        )
        # What may be encrypted comes after the permission to do so.
        self._storable = [*self.enabled, *self._key_grants]
        self.buckets = {
            each.name: Bucket(
                self,
                f"bucket-{each.name}",
                account=self.account,
                labels=plan.labels,
                after=self._storable,
                plan=each,
            )
            for each in plan.buckets
        }
        self.private_services: PrivateServices | None = None
        self._before_nodes: list[TerraformResource] = []
        self._stores: list[TerraformResource] = []
        self.volumes = self._make_volumes(plan.volumes) if plan.volumes else {}
        if plan.kept_data:
            KeptData(self, "kept_data", volumes=self._stores, plan=plan.kept_data)
        self.volumes |= {
            each.volume: FileSystem(self.buckets[each.name].name, {})
            for each in plan.buckets
            if each.suffix_length
        }
        self.cluster = self._cluster()
        self.pools = self._pools()
        secrets = [
            Secret(
                self,
                f"secret-{each.name}",
                project=plan.project,
                labels=plan.labels,
                after=self._storable,
                plan=each,
            )
            for each in plan.secrets
        ]
        if plan.identities:
            Identities(
                self,
                "identity",
                project=plan.project,
                pool=plan.reached.workload_pool,
                cluster=self.cluster.resource,
                buckets=self.buckets,
                secrets=[each.resource for each in secrets],
                plans=plan.identities,
            )
        make_builds(
            self,
            project=plan.project,
            region=plan.region,
            labels=plan.labels,
            networks=self.networks,
            shared=self.private_services,
            after=self._storable,
            plan=plan.builds,
        )
        if plan.pages:
            Monitoring(self, "monitoring", labels=plan.labels, after=self.enabled, plan=plan.pages)
        ClusterOutputs(
            self,
            "outputs",
            cluster=self.cluster,
            networks=self.networks,
            account=self.account,
            plan=plan,
        )

    def _cluster(self) -> ControlPlane | ExistingCluster:
        plan = self._plan
        if plan.existing:
            return ExistingCluster(self, "cluster", plan=plan.existing)
        if plan.control_plane is None or self.account is None:
            raise InternalError(f"{plan.name} neither makes a cluster nor finds one")
        return ControlPlane(
            self,
            "cluster",
            networks=self.networks,
            email=self.account.email,
            labels=plan.labels,
            after=[*self.enabled, *self.account.grants, *self._key_grants],
            plan=plan.control_plane,
        )

    def _make_proxies(self, plan: SubnetPlan) -> None:
        """Where the proxies of regional load balancers have their addresses."""
        addressed(
            ComputeSubnetwork(
                self,
                "proxies",
                name=plan.name,
                network=self.networks["primary"].resource.id,
                region=self._plan.region,
                ip_cidr_range=plan.cidr,
                purpose="REGIONAL_MANAGED_PROXY",
                role="ACTIVE",
            )
        )

    def _make_volumes(self, plan: VolumesPlan) -> dict[str, FileSystem]:
        """Storage outside the cluster, and its addresses for drivers inside."""
        network = self.networks.get(plan.network)
        made = Volumes(
            self,
            "volumes",
            network=network.resource.id if network else "",
            labels=self._plan.labels,
            buckets={name: bucket.name for name, bucket in self.buckets.items()},
            after=self._storable,
            plan=plan,
        )
        self.private_services = made.private_services
        self._stores += made.stores
        # Nodes that cost are asked for when what they compute on is there.
        self._before_nodes += [*made.disk_pools, *made.imports]
        return file_systems(plan, self._plan.project, made)

    def _pools(self) -> dict[str, NodePool]:
        """Nodes come last: on their first boot, permissions and NAT exist."""
        plan = self._plan
        if self.account is None:
            return {}
        account = self.account
        private = plan.control_plane.private_nodes if plan.control_plane else None
        nat = Nat(self, "nat", network=self.networks[plan.nat.network], plan=plan.nat) if plan.nat else None
        policies = {
            each.key: PlacementPolicy(self, f"policy-{each.key}", after=self.enabled, plan=each.policy)
            for each in plan.policies
        }
        scripts = (
            InitScripts(self, "init", account=account, plans=plan.init_scripts) if plan.init_scripts else None
        )
        pools = {
            each.key: NodePool(
                self,
                f"pool-{each.key}",
                cluster=self.cluster,
                networks=self.networks,
                policies=policies,
                email=account.email,
                labels=plan.labels,
                private=private,
                after=[
                    *account.grants,
                    *self._key_grants,
                    *self._before_nodes,
                    *([nat.resource] if nat else []),
                    *(scripts.grants if scripts else []),
                ],
                plan=each,
            )
            for each in (plan.system_pool, *plan.pools)
            if each
        }
        if scripts:
            for each in plan.pools:
                scripts.run_by(pools[each.key].resource, each.group)
        return pools
