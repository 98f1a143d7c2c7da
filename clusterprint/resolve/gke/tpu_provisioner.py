"""The TPU provisioner: who it is, what it may do, and its settings as environment."""

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.tpu_provisioner import ProvisionedNodes, TpuProvisioner
from clusterprint.derived import durations, names
from clusterprint.errors import InternalError
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.tpu_provisioner import ProvisionerPlan
from clusterprint.plan.kubernetes import ProbePlan, ProgramPlan
from clusterprint.resolve.gke.tpu_provisioner_rights import RIGHTS
from clusterprint.resolve.gke.tpu_webhook import COMMAND, checksum, resolve_webhook, word

_NAME = "tpu-provisioner-controller-manager"
_SETTINGS = "tpu-provisioner-manager"
_HEALTH_PORT = 8081
#: Where it answers with its numbers, for whom the cluster lets read them.
METRICS_PORT = 8080


def resolve_provisioner(  # noqa: PLR0913 - what other parts of the blueprint say
    provisioner: TpuProvisioner,
    cluster: GkeClusterPlan,
    image: str,
    *,
    kms_key: str = "",
    is_there: bool = True,
    queued: bool = False,
) -> ProvisionerPlan:
    """Make the plan of the controller and its webhook.

    An `image` that is yet to be built is not waited for: its pods start as soon as it `is_there`.
    """
    account = provisioner.nodes.service_account
    node_account = _node_account(cluster) if account is UNSET else account
    settings = _settings(provisioner, cluster, node_account, kms_key)
    rights = RIGHTS[provisioner.controller]
    return ProvisionerPlan(
        namespace=catalog.component("tpu-provisioner").namespace,
        account=_NAME,
        program=_program(image, settings, is_there=is_there),
        account_id=names.tpu_provisioner(cluster.cluster),
        role_id=names.tpu_provisioner_role(cluster.cluster),
        permissions=rights.permissions,
        everywhere=rights.everywhere,
        at_home=rights.at_home,
        workload_pool=cluster.reached.workload_pool,
        node_account=node_account,
        settings=settings,
        webhook=None
        if provisioner.webhook is UNSET
        else resolve_webhook(provisioner.webhook, provisioner, image, is_there=is_there, queued=queued),
    )


def _program(image: str, settings: dict[str, str], *, is_there: bool) -> ProgramPlan:
    """The controller; both start at the same path, with the same options."""
    return ProgramPlan(
        image=image,
        wait=is_there,
        command=COMMAND,
        args=(
            "--leader-elect",
            f"--health-probe-bind-address=:{_HEALTH_PORT}",
            f"--metrics-bind-address=:{METRICS_PORT}",
        ),
        settings=_SETTINGS,
        checksum=checksum(settings),
        alive=ProbePlan(path="/healthz", port=_HEALTH_PORT, delay_seconds=15, period_seconds=20),
        ready=ProbePlan(path="/readyz", port=_HEALTH_PORT, delay_seconds=5, period_seconds=10),
        resources={"cpu": "1", "memory": "1Gi"},
        # Only there does it get to be who it is at Google.
        nodes={"iam.gke.io/gke-metadata-server-enabled": "true"},
        grace_seconds=10,
    )


def _node_account(cluster: GkeClusterPlan) -> str:
    """The e-mail address of the account of the cluster's own nodes."""
    account = cluster.service_account
    if account is None:
        raise InternalError(f"{cluster.name} has no account for its nodes")
    return account.email or names.account_email(account.account_id, cluster.project)


def _settings(
    provisioner: TpuProvisioner, cluster: GkeClusterPlan, node_account: str, kms_key: str
) -> dict[str, str]:
    """Every setting, under the controller's own name; an empty value means unset."""
    zone = cluster.zone if provisioner.zone is UNSET else provisioner.zone
    return {
        "PROVIDER": "gke",
        "GCP_PROJECT_ID": cluster.project,
        "GCP_CLUSTER": cluster.reached.name,
        "GCP_CLUSTER_LOCATION": cluster.reached.location,
        "GCP_ZONE": ",".join((zone, *provisioner.fallback_zones)),
        **_node_settings(provisioner.nodes, node_account, kms_key),
        "GCP_FORCE_ON_DEMAND": word(provisioner.force_on_demand),
        "NODE_MIN_LIFESPAN": _duration(provisioner.node_min_lifespan),
        "NODEPOOL_DELETION_DELAY": _duration(provisioner.node_pool_deletion_delay),
        "POD_RESOURCE_TYPE": provisioner.pod_resource_type,
        "CONCURRENCY": str(provisioner.concurrency),
        **_limits(provisioner),
    }


def _limits(provisioner: TpuProvisioner) -> dict[str, str]:
    """Settings of only one of the controllers, if they are given."""
    limits = {
        "MAX_POOLS_PER_NAMESPACE": provisioner.max_pools_per_namespace,
        "MAX_CHIPS_PER_NAMESPACE": provisioner.max_chips_per_namespace,
    }
    return {name: str(limit) for name, limit in limits.items() if limit is not UNSET}


def _node_settings(nodes: ProvisionedNodes, node_account: str, kms_key: str) -> dict[str, str]:
    return {
        "GCP_NODE_SERVICE_ACCOUNT": node_account,
        "GCP_NODE_TAGS": ",".join(nodes.tags),
        "GCP_POD_TO_NODE_LABELS": ",".join(nodes.labels_from_pods),
        "GCP_NODE_SECONDARY_DISK": "" if nodes.secondary_disk is UNSET else nodes.secondary_disk,
        "GCP_NODE_SECURE_BOOT": word(nodes.secure_boot),
        "GCP_NODE_ADDITIONAL_NETWORKS": ",".join(
            f"{each.network}:{each.subnetwork}" for each in nodes.additional_networks
        ),
        "GCP_NODE_DISK_TYPE": "" if nodes.boot_disk_type is UNSET else nodes.boot_disk_type,
        "GCP_NODE_CONFIDENTIAL_STORAGE": word(nodes.confidential_storage),
        "GCP_NODE_BOOT_DISK_KMS_KEY": kms_key
        if nodes.boot_disk_kms_key is UNSET
        else nodes.boot_disk_kms_key,
    }


def _duration(duration: str) -> str:
    """As Go reads it: it knows no days."""
    return f"{durations.seconds(duration)}s"
