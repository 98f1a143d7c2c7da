"""The TPU provisioner: who it is, what it may do, and its settings as environment."""

import hashlib

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.gke.components import Chart
from clusterprint.blueprint.gke.tpu_provisioner import ProvisionedNodes, ProvisionerWebhook, TpuProvisioner
from clusterprint.derived import durations, names
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.tpu_provisioner import ProvisionerPlan, ProvisionerWebhookPlan
from clusterprint.resolve.gke.charts import CERT_MANAGER_NAMESPACE, resolve_chart

# Node pools are parts of a cluster, and making or deleting one is an update of the cluster. It can neither
# delete the cluster nor see what is in it.
_PERMISSIONS = (
    "container.clusters.get",
    "container.clusters.update",
    "container.operations.get",
    "container.operations.list",
)


def resolve_provisioner(provisioner: TpuProvisioner, cluster: GkeClusterPlan) -> ProvisionerPlan:
    """Make the plan of the controller and its webhook."""
    account = provisioner.nodes.service_account
    node_account = _node_account(cluster) if account is UNSET else account
    settings = _settings(provisioner, cluster, node_account)
    return ProvisionerPlan(
        image=provisioner.image,
        account_id=names.tpu_provisioner(cluster.cluster),
        role_id=names.tpu_provisioner_role(cluster.cluster),
        permissions=_PERMISSIONS,
        workload_pool=cluster.control_plane.workload_pool,
        node_account=node_account,
        settings=settings,
        checksum=_checksum(settings),
        webhook=None if provisioner.webhook is UNSET else _webhook(provisioner.webhook),
    )


def _node_account(cluster: GkeClusterPlan) -> str:
    """The e-mail address of the account of the cluster's own nodes."""
    account = cluster.service_account
    domain, _, project = cluster.project.rpartition(":")
    home = ".".join(filter(None, [project, domain]))
    return account.email or f"{account.account_id}@{home}.iam.gserviceaccount.com"


def _settings(provisioner: TpuProvisioner, cluster: GkeClusterPlan, node_account: str) -> dict[str, str]:
    """Every setting, under the controller's own name; an empty value means unset."""
    return {
        "PROVIDER": "gke",
        "GCP_PROJECT_ID": cluster.project,
        "GCP_CLUSTER": cluster.cluster,
        "GCP_CLUSTER_LOCATION": cluster.control_plane.location,
        "GCP_ZONE": cluster.zone if provisioner.zone is UNSET else provisioner.zone,
        **_node_settings(provisioner.nodes, node_account),
        "GCP_FORCE_ON_DEMAND": _word(provisioner.force_on_demand),
        "NODE_MIN_LIFESPAN": _duration(provisioner.node_min_lifespan),
        "NODEPOOL_DELETION_DELAY": _duration(provisioner.node_pool_deletion_delay),
        "POD_RESOURCE_TYPE": provisioner.pod_resource_type,
        "CONCURRENCY": str(provisioner.concurrency),
    }


def _node_settings(nodes: ProvisionedNodes, node_account: str) -> dict[str, str]:
    return {
        "GCP_NODE_SERVICE_ACCOUNT": node_account,
        "GCP_NODE_TAGS": ",".join(nodes.tags),
        "GCP_POD_TO_NODE_LABELS": ",".join(nodes.labels_from_pods),
        "GCP_NODE_SECONDARY_DISK": "" if nodes.secondary_disk is UNSET else nodes.secondary_disk,
        "GCP_NODE_SECURE_BOOT": _word(nodes.secure_boot),
        "GCP_NODE_ADDITIONAL_NETWORKS": ",".join(
            f"{each.network}:{each.subnetwork}" for each in nodes.additional_networks
        ),
        "GCP_NODE_DISK_TYPE": "" if nodes.boot_disk_type is UNSET else nodes.boot_disk_type,
        "GCP_NODE_CONFIDENTIAL_STORAGE": _word(nodes.confidential_storage),
        "GCP_NODE_BOOT_DISK_KMS_KEY": "" if nodes.boot_disk_kms_key is UNSET else nodes.boot_disk_kms_key,
    }


def _webhook(webhook: ProvisionerWebhook) -> ProvisionerWebhookPlan:
    hint = webhook.reservation_location_hint
    settings = {
        "FORCE_ON_DEMAND": _word(webhook.force_on_demand),
        "RESERVATION_LOCATION_HINT": "" if hint is UNSET else hint,
    }
    return ProvisionerWebhookPlan(
        image=webhook.image,
        settings=settings,
        checksum=_checksum(settings),
        cert_manager=resolve_chart(
            "cert-manager", CERT_MANAGER_NAMESPACE, Chart(), {"crds": {"enabled": True}}
        ),
    )


def _checksum(settings: dict[str, str]) -> str:
    """What changes with any setting."""
    return hashlib.sha256(msgspec.json.encode(settings)).hexdigest()[:16]


def _duration(duration: str) -> str:
    """As Go reads it: it knows no days."""
    return f"{durations.seconds(duration)}s"


def _word(flag: bool) -> str:  # noqa: FBT001 - the flag is all there is to it
    return "true" if flag else "false"
