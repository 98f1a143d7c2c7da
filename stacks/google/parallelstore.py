"""Parallelstore: a scratch file system, created or existing."""

from collections.abc import Sequence

from cdktf import Fn, TerraformResource
from cdktf_cdktf_provider_google.parallelstore_instance import (
    ParallelstoreInstance,
    ParallelstoreInstanceTimeouts,
)
from constructs import Construct

from clusterprint.plan.volumes import ParallelstorePlan
from stacks.addresses import addressed
from stacks.google.filesystems import FileSystem
from stacks.google.provider import set_beyond
from stacks.protection import prevent_destroy


class Parallelstore(FileSystem):
    """An instance of Parallelstore; `remote` are its access points, with commas between them.

    The provider looks none up, so of an existing one they are in the plan.
    """

    def __init__(
        self,
        scope: Construct,
        id: str,
        *,
        network: str,
        labels: dict[str, str],
        after: Sequence[TerraformResource],
        plan: ParallelstorePlan,
    ) -> None:
        super().__init__(scope, id)
        if not plan.create:
            self.resources, self.remote = [], ",".join(plan.access_points)
            return
        made = addressed(
            ParallelstoreInstance(
                self,
                "Default",
                instance_id=plan.name,
                location=plan.location,
                capacity_gib=str(plan.size_gb),
                deployment_type=plan.deployment_type,
                network=network,
                labels=labels,
                lifecycle=prevent_destroy(protected=plan.protected),
                timeouts=ParallelstoreInstanceTimeouts(
                    create=f"{plan.change_minutes}m",
                    update=f"{plan.change_minutes}m",
                    delete=f"{plan.delete_minutes}m",
                ),
                depends_on=list(after),
            )
        )
        set_beyond(made, "deletion_policy", plan.deletion_policy)
        self.resources = [made]
        self.remote = Fn.join(",", made.access_points)
