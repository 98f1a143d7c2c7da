"""A storage pool of Hyperdisk."""

from collections.abc import Sequence

from cdktf import TerraformResource
from cdktf_cdktf_provider_google.compute_storage_pool import ComputeStoragePool
from constructs import Construct

from clusterprint.plan.volumes import DiskPoolPlan
from stacks.addresses import addressed
from stacks.protection import prevent_destroy


def disk_pool(
    scope: Construct, plan: DiskPoolPlan, labels: dict[str, str], after: Sequence[TerraformResource]
) -> ComputeStoragePool:
    """A pool; disks name it by its path, as its attributes have no link to it."""
    return addressed(
        ComputeStoragePool(
            scope,
            f"pool-{plan.key}",
            name=plan.name,
            zone=plan.zone,
            storage_pool_type=plan.type,
            pool_provisioned_capacity_gb=str(plan.size_gb),
            pool_provisioned_throughput=str(plan.throughput_mbps),
            pool_provisioned_iops=None if plan.iops is None else str(plan.iops),
            capacity_provisioning_type=plan.capacity,
            performance_provisioning_type=plan.performance,
            deletion_protection=plan.protected,
            labels=labels,
            lifecycle=prevent_destroy(protected=plan.protected),
            depends_on=list(after),
        )
    )
