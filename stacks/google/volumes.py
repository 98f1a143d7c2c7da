"""The volumes of a cluster that are not buckets, in its network."""

from collections.abc import Callable, Mapping, Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.compute_disk import ComputeDisk, ComputeDiskDiskEncryptionKey
from cdktf_cdktf_provider_google.compute_firewall import ComputeFirewall, ComputeFirewallAllow
from cdktf_cdktf_provider_google.lustre_instance import LustreInstance
from constructs import Construct

from clusterprint.plan.volumes import FileSystemPlan, ServersFirewallPlan, SharedDiskPlan, VolumesPlan
from stacks.addresses import addressed
from stacks.google.disk_pool import disk_pool
from stacks.google.filesystems import Filestore, FileSystem, Lustre
from stacks.google.lustre_import import LustreImports
from stacks.google.netapp import Netapp
from stacks.google.parallelstore import Parallelstore
from stacks.google.private_services import PrivateServices
from stacks.google.provider import set_beyond
from stacks.protection import prevent_destroy


class Volumes(Construct):
    """File systems and disks that many read, with what they need in the network.

    `remotes` says by the name of the volume what clients mount, or for a disk its source; `filestores` are
    the instances by it; `disk_pools` have to be there before the disks in them, `imports` before whoever
    reads what file systems are filled with; `stores` are what holds data. `network` is the id of the network
    that is created, if one is; `buckets` are the names of the cluster's own by those in the plan. `after` has
    to be there before everything; `resources` have to be there before the first client.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        network: str,
        labels: dict[str, str],
        buckets: Mapping[str, str],
        after: Sequence[TerraformResource],
        plan: VolumesPlan,
    ) -> None:
        super().__init__(scope, id)
        self.network = plan.existing_network or network
        self.resources: list[TerraformResource] = []
        ready = list(after)
        self.private_services: PrivateServices | None = None
        if plan.private_services:
            services = self.private_services = PrivateServices(
                self, "services", network=self.network, after=after, plan=plan.private_services
            )
            ready.append(services.resource)
            self.resources += [self._let_in(services.range, each) for each in plan.firewalls]
        self.stores: list[TerraformResource] = []
        self.remotes: dict[str, str] = {}
        self.filestores: dict[str, Filestore] = {}
        self._lustres: dict[str, LustreInstance] = {}
        kinds: tuple[
            tuple[str, Callable[..., FileSystem], Sequence[FileSystemPlan], list[TerraformResource]], ...
        ] = (
            ("filestore", Filestore, plan.filestores, ready),
            ("lustre", Lustre, plan.lustres, ready),
            ("parallelstore", Parallelstore, plan.parallelstores, ready),
            ("netapp", Netapp, plan.netapps, [*after, *self._netapp_services(plan, after)]),
        )
        for kind, make, plans, before in kinds:
            for each in plans:
                self._make(kind, each.key, make, labels=labels, after=before, plan=each)
        self.imports: list[TerraformResource] = []
        if plan.lustre_imports:
            self.imports += LustreImports(
                self,
                "imports",
                instances=self._lustres,
                buckets=buckets,
                after=after,
                plan=plan.lustre_imports,
            ).resources
        self.resources += self.imports
        for disk in plan.shared_disks:
            self._disk(disk, labels, after)
        self.disk_pools = [disk_pool(self, each, labels, after) for each in plan.disk_pools]
        self.resources += self.disk_pools

    def _netapp_services(
        self, plan: VolumesPlan, after: Sequence[TerraformResource]
    ) -> list[TerraformResource]:
        """NetApp has a peering of its own, which only its volumes wait for."""
        if plan.netapp_services is None:
            return []
        own = PrivateServices(
            self, "netapp-services", network=self.network, after=after, plan=plan.netapp_services
        )
        return [own.resource]

    def _make(self, kind: str, key: str, make: Callable[..., FileSystem], **settings: object) -> None:
        made = make(self, f"{kind}-{key}", network=self.network, **settings)
        self.resources += made.resources
        self.stores += made.resources
        self.remotes[key] = made.remote
        if isinstance(made, Filestore):
            self.filestores[key] = made
        if isinstance(made, Lustre) and made.instance:
            self._lustres[key] = made.instance

    def _let_in(self, cidr: str, plan: ServersFirewallPlan) -> ComputeFirewall:
        ports = [str(port) for port in plan.ports]
        return addressed(
            ComputeFirewall(
                self,
                plan.key,
                name=plan.name,
                network=self.network,
                direction="INGRESS",
                source_ranges=[cidr],
                allow=[ComputeFirewallAllow(protocol="tcp", ports=ports or None)],
            )
        )

    def _disk(self, plan: SharedDiskPlan, labels: dict[str, str], after: Sequence[TerraformResource]) -> None:
        made = addressed(
            ComputeDisk(
                self,
                f"disk-{plan.key}",
                name=plan.name,
                zone=plan.zone,
                type=plan.type,
                size=plan.size_gb or None,
                provisioned_iops=plan.iops or None,
                provisioned_throughput=plan.throughput_mbps or None,
                snapshot=plan.snapshot,
                access_mode="READ_ONLY_MANY",
                disk_encryption_key=(
                    ComputeDiskDiskEncryptionKey(kms_key_self_link=plan.kms_key) if plan.kms_key else None
                ),
                labels=labels,
                lifecycle=prevent_destroy(protected=plan.protected),
                depends_on=list(after),
            )
        )
        set_beyond(made, "deletion_policy", plan.deletion_policy)
        self.resources.append(made)
        self.stores.append(made)
        # Templates take the name of a disk, not its link.
        self.remotes[plan.key] = made.name
