"""Managed file systems: Filestore and Managed Lustre, created or existing."""

from collections.abc import Sequence

from cdktf import Fn, TerraformResource, Token
from cdktf_cdktf_provider_google.data_google_filestore_instance import DataGoogleFilestoreInstance
from cdktf_cdktf_provider_google.data_google_lustre_instance import DataGoogleLustreInstance
from cdktf_cdktf_provider_google.filestore_instance import (
    FilestoreInstance,
    FilestoreInstanceFileShares,
    FilestoreInstanceNetworks,
)
from cdktf_cdktf_provider_google.filestore_snapshot import FilestoreSnapshot
from cdktf_cdktf_provider_google.lustre_instance import LustreInstance, LustreInstanceTimeouts
from constructs import Construct

from clusterprint.plan.volumes import FilestorePlan, LustrePlan
from stacks.addresses import addressed
from stacks.google.provider import set_beyond
from stacks.protection import prevent_destroy


class FileSystem(Construct):
    """The file system that clients mount as `remote`, created after and destroyed before `after`.

    `resources` have to be there before the first client; of an existing one there are none.
    """

    resources: list[TerraformResource]
    remote: str


class Filestore(FileSystem):
    """An instance of Filestore; `remote` is `share` of `address`."""

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        network: str,
        labels: dict[str, str],
        after: Sequence[TerraformResource],
        plan: FilestorePlan,
    ) -> None:
        super().__init__(scope, id)
        if not plan.create:
            existing = addressed(
                DataGoogleFilestoreInstance(self, "Default", name=plan.name, location=plan.location)
            )
            self.resources = []
            self.address, self.share = _address(existing), existing.file_shares.get(0).name
            self.remote = f"{self.address}:/{self.share}"
            return
        made = addressed(
            FilestoreInstance(
                self,
                "Default",
                name=plan.name,
                location=plan.location,
                tier=plan.tier,
                protocol=plan.protocol,
                kms_key_name=plan.kms_key or None,
                labels=labels,
                file_shares=FilestoreInstanceFileShares(
                    name=plan.share, capacity_gb=plan.size_gb, source_backup=plan.source_backup or None
                ),
                networks=[
                    FilestoreInstanceNetworks(
                        network=network, modes=["MODE_IPV4"], connect_mode=plan.connect_mode
                    )
                ],
                deletion_protection_enabled=True if plan.deletion_protection else None,
                lifecycle=prevent_destroy(protected=plan.protected),
                depends_on=list(after),
            )
        )
        set_beyond(made, "deletion_policy", plan.deletion_policy)
        for name in plan.snapshots:
            addressed(
                FilestoreSnapshot(
                    self,
                    f"snapshot-{name}",
                    name=name,
                    location=plan.location,
                    instance=made.name,
                    labels=labels,
                    lifecycle=prevent_destroy(protected=plan.protected),
                )
            )
        self.resources = [made]
        self.address, self.share = _address(made), plan.share
        self.remote = f"{self.address}:/{self.share}"


def _address(instance: FilestoreInstance | DataGoogleFilestoreInstance) -> str:
    return Token.as_string(Fn.element(instance.networks.get(0).ip_addresses, 0))


class Lustre(FileSystem):
    """An instance of Managed Lustre; `instance` is None for an existing one."""

    instance: LustreInstance | None = None

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        network: str,
        labels: dict[str, str],
        after: Sequence[TerraformResource],
        plan: LustrePlan,
    ) -> None:
        super().__init__(scope, id)
        if not plan.create:
            existing = addressed(
                DataGoogleLustreInstance(self, "Default", instance_id=plan.name, zone=plan.location)
            )
            self.resources = []
            self.remote = existing.mount_point
            return
        made = addressed(
            LustreInstance(
                self,
                "Default",
                instance_id=plan.name,
                location=plan.location,
                filesystem=plan.filesystem,
                capacity_gib=str(plan.size_gb),
                per_unit_storage_throughput=str(plan.throughput_mbps_per_tib),
                network=network,
                labels=labels,
                lifecycle=prevent_destroy(protected=plan.protected),
                timeouts=LustreInstanceTimeouts(
                    create=f"{plan.change_minutes}m",
                    update=f"{plan.change_minutes}m",
                    delete=f"{plan.delete_minutes}m",
                ),
                depends_on=list(after),
            )
        )
        set_beyond(made, "deletion_policy", plan.deletion_policy)
        set_beyond(made, "kms_key", plan.kms_key)
        self.instance = made
        self.resources = [made]
        self.remote = made.mount_point
