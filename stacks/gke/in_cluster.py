"""The shared parts of stacks inside a cluster: access to it, namespaces, volumes, and objects for nodes."""

from collections.abc import Mapping
from types import MappingProxyType

from cdktf import GcsBackend, TerraformResource, TerraformStack
from constructs import Construct

from clusterprint.errors import InternalError
from clusterprint.plan.in_cluster import InClusterPlan
from stacks.gke.cluster import ClusterStack
from stacks.gke.existing import look_up
from stacks.google.provider import require_google
from stacks.kubernetes.access import connect
from stacks.kubernetes.claims import Claims
from stacks.kubernetes.device_claims import lay_templates
from stacks.kubernetes.namespaces import Namespaces, ServiceAccount
from stacks.kubernetes.nodes import lay_on_nodes


class InClusterStack(TerraformStack):
    """A stack inside a cluster. With `google_provider` it has the provider, also if it looks nothing up.

    `accounts` are by namespace and name; `on_nodes`, `accounts`, `claims` and `templates` have to be there
    before pods that ask for them; `volumes` are those of the cluster.
    """

    def __init__(
        self,
        scope: Construct,
        plan: InClusterPlan,
        built: Mapping[str, TerraformStack],
        *,
        google_provider: str = "",
        labels: Mapping[str, dict[str, str]] = MappingProxyType({}),
    ) -> None:
        super().__init__(scope, plan.name)
        cluster = built.get(plan.access.stack)
        if cluster is not None and not isinstance(cluster, ClusterStack):
            raise InternalError(f"{plan.access.stack} is no cluster")
        GcsBackend(self, bucket=plan.state.bucket, prefix=plan.state.prefix)
        found = look_up(self, plan.access, project=plan.project, region=plan.region)
        connect(self, plan.access, found or (cluster.cluster if cluster else None))
        if cluster and found:
            self.add_dependency(cluster)
        if google_provider and not found:
            require_google(self, google_provider, project=plan.project, region=plan.region)
        self.namespaces = Namespaces(self, "namespace", names=plan.namespaces, labels=labels)
        self.on_nodes: list[TerraformResource] = [each.resource for each in lay_on_nodes(self, plan)]
        self.accounts = {
            (each.namespace, each.name): ServiceAccount(
                self, f"account-{each.key}", namespaces=self.namespaces, plan=each
            ).resource
            for each in plan.service_accounts
        }
        self.volumes = cluster.volumes if cluster else {}
        self.claims = Claims(
            self, "volume", namespaces=self.namespaces, made=self.volumes, plan=plan.claims
        ).resources
        self.templates = lay_templates(self, self.namespaces, plan.device_claims)
