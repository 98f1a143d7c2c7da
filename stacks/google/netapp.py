"""NetApp Volumes: a storage pool, and the volume in it."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.netapp_storage_pool import NetappStoragePool
from cdktf_cdktf_provider_google.netapp_volume import (
    NetappVolume,
    NetappVolumeExportPolicy,
    NetappVolumeExportPolicyRules,
)
from constructs import Construct

from clusterprint.plan.volumes import NetappPlan
from stacks.addresses import addressed
from stacks.google.filesystems import FileSystem
from stacks.google.provider import set_beyond
from stacks.protection import prevent_destroy


class Netapp(FileSystem):
    """A volume of NetApp with a pool of its own; of an existing one only the export is known."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        network: str,
        labels: dict[str, str],
        after: Sequence[TerraformResource],
        plan: NetappPlan,
    ) -> None:
        super().__init__(scope, id)
        if not plan.create:
            self.resources, self.remote = [], plan.remote
            return
        kept = prevent_destroy(protected=plan.protected)
        pool = addressed(
            NetappStoragePool(
                self,
                "pool",
                name=plan.name,
                location=plan.location,
                service_level=plan.service_level,
                capacity_gib=str(plan.size_gb),
                total_throughput_mibps=str(plan.throughput_mibps) if plan.throughput_mibps else None,
                network=network,
                labels=labels,
                lifecycle=kept,
                depends_on=list(after),
            )
        )
        set_beyond(pool, "type", plan.pool_type)
        volume = addressed(
            NetappVolume(
                self,
                "Default",
                name=plan.name,
                location=plan.location,
                capacity_gib=str(plan.size_gb),
                share_name=plan.share,
                storage_pool=pool.name,
                protocols=[plan.protocol],
                unix_permissions=plan.permissions,
                export_policy=NetappVolumeExportPolicy(
                    rules=[
                        NetappVolumeExportPolicyRules(
                            allowed_clients=plan.clients,
                            access_type="READ_WRITE",
                            has_root_access="true",
                            nfsv3=plan.protocol == "NFSV3",
                            nfsv4=plan.protocol == "NFSV4",
                        )
                    ]
                ),
                labels=labels,
                # It keeps the pool as well, which goes only after its volume.
                deletion_policy=plan.deletion_policy or None,
                lifecycle=kept,
            )
        )
        self.resources = [volume]
        self.remote = volume.mount_options.get(0).export_full
