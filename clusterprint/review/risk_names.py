"""The risks that a review knows, by the names that policies and `--allow` speak of."""

from typing import Literal, NamedTuple

from clusterprint.review.model import RiskSort


class Known(NamedTuple):
    """The sort of harm of a risk, and its meaning."""

    sort: RiskSort
    meaning: str


RiskName = Literal[
    "bucket_removed", "disk_removed", "files_overwritten", "objects_deleted", "registry_removed",
    "secret_removed", "state_moved", "cluster_removed", "cluster_orphaned", "stack_orphaned",
    "cluster_replaced", "pool_removed", "pool_renamed", "pool_replaced", "network_replaced",
    "range_in_use", "nodes_removed", "nodes_moved", "nodes_restarted", "template_changed",
    "image_differs",
    "workload_removed", "workload_changed", "public_ssh", "ssh_from_internet", "open_to_internet",
    "open_to_ranges", "control_plane_open", "control_plane_ranges", "control_plane_dns",
    "public_nodes", "public_address", "public_bucket", "node_port", "host_access",
    "privileged_pods", "expected_host_access", "foreign_webhook", "open_network_policy", "metadata_script",
    "os_login_off", "ssh_keys", "serial_port", "remote_script", "public_iam",
    "broad_role", "iam_granted", "service_account_key", "protection_removed", "quota_needed", "over_budget",
    "drift", "check_failed", "change_refused", "not_comparable", "unknown_type", "unknown_number",
]  # fmt: skip

RISKS: dict[RiskName, Known] = {
    "bucket_removed": Known(
        "data_loss", "A bucket, storage account or container is destroyed, with its data."
    ),
    "disk_removed": Known("data_loss", "A disk, file share or file system is destroyed, with its data."),
    "files_overwritten": Known(
        "data_loss", "Files are imported into a file system that exists, and may overwrite others."
    ),
    "objects_deleted": Known("data_loss", "A bucket that exists gets a rule that deletes objects."),
    "registry_removed": Known("data_loss", "A registry is destroyed, with its images."),
    "secret_removed": Known("data_loss", "A secret or key vault is destroyed."),
    "state_moved": Known("data_loss", "Terraform would look for its state in the wrong place."),
    "cluster_removed": Known("cluster_replacement", "A whole cluster is destroyed."),
    "cluster_orphaned": Known(
        "state", "A cluster is no longer in any blueprint: it keeps running, and is billed."
    ),
    "stack_orphaned": Known("state", "A stack is no longer in any blueprint: its resources stay."),
    "cluster_replaced": Known("cluster_replacement", "A control plane is recreated or destroyed."),
    "pool_removed": Known("pool_replacement", "A node pool is destroyed."),
    "pool_renamed": Known("pool_replacement", "A node pool is renamed, and so recreated."),
    "pool_replaced": Known("pool_replacement", "A node pool is recreated."),
    "network_replaced": Known("downtime", "A network or subnet is recreated under running nodes."),
    "range_in_use": Known(
        "cluster_replacement", "An address range that a cluster or file systems use is changed or removed."
    ),
    "nodes_removed": Known("downtime", "A pool shrinks."),
    "nodes_moved": Known("downtime", "A pool is removed from a zone, with its nodes there."),
    "nodes_restarted": Known("downtime", "Nodes restart or are recreated while their pool stays."),
    "template_changed": Known("downtime", "New nodes differ from running ones until those are recreated."),
    "image_differs": Known("downtime", "New nodes may boot a newer image than the running ones."),
    "workload_removed": Known("downtime", "What runs in a cluster is removed or replaced."),
    "workload_changed": Known("downtime", "A chart changes, and what it runs may restart."),
    "public_ssh": Known("exposure", "SSH is open to the whole internet."),
    "ssh_from_internet": Known("exposure", "SSH is open to named ranges of the internet."),
    "open_to_internet": Known("exposure", "Ports are open to the whole internet."),
    "open_to_ranges": Known("exposure", "Ports are open to named ranges of the internet."),
    "control_plane_open": Known("exposure", "Anybody can reach a control plane."),
    "control_plane_ranges": Known("exposure", "A control plane can be reached from more ranges."),
    "control_plane_dns": Known("exposure", "A control plane can be reached by its DNS name."),
    "public_nodes": Known("exposure", "The nodes of a cluster get public addresses."),
    "public_address": Known("exposure", "Something gets a public address."),
    "public_bucket": Known("exposure", "A bucket can be made public."),
    "node_port": Known("exposure", "A Service or a pod opens a port on nodes."),
    "host_access": Known("exposure", "Pods get access to the files, network or processes of their nodes."),
    "privileged_pods": Known("exposure", "Pods run privileged, or with more capabilities."),
    "expected_host_access": Known(
        "exposure", "Pods that clusterprint writes use nodes as drivers and networks of GPUs need it."
    ),
    "foreign_webhook": Known(
        "exposure", "A webhook is asked about all objects, or is outside of the cluster."
    ),
    "open_network_policy": Known("exposure", "A network policy admits traffic from everywhere."),
    "metadata_script": Known("exposure", "Metadata of machines has a program that runs as root."),
    "os_login_off": Known("exposure", "OS Login is off: keys decide who may log in to machines, not IAM."),
    "ssh_keys": Known("exposure", "SSH keys in metadata let somebody log in to machines."),
    "serial_port": Known("exposure", "The serial port of machines is open for login."),
    "remote_script": Known("exposure", "Machines run a script from elsewhere, which no review covers."),
    "public_iam": Known("exposure", "A role is granted to everybody."),
    "broad_role": Known("exposure", "A role that reaches far beyond the cluster is granted."),
    "iam_granted": Known("exposure", "Roles are granted."),
    "service_account_key": Known("exposure", "A service account key is created."),
    "protection_removed": Known("protection", "A protection against deletion is removed."),
    "over_budget": Known("quota", "A cluster may cost more than the budget in its blueprint."),
    "quota_needed": Known("quota", "More accelerators than before, for which the quota must suffice."),
    "drift": Known("drift", "The cloud differs from the state where this change applies (drift)."),
    "check_failed": Known("check", "A Terraform check failed."),
    "change_refused": Known("check", "The cloud refuses a change, so the apply fails there."),
    "not_comparable": Known("uncertain", "One version has errors, so nothing is compared."),
    "unknown_type": Known("uncertain", "Whether a change is made in place is not known without Terraform."),
    "unknown_number": Known("uncertain", "How many resources there are is not known without Terraform."),
}

#: Groups that are no sort of harm of their own: what they mean, and who is in them.
GROUPS: dict[str, tuple[str, tuple[RiskName, ...]]] = {
    "data_lost": (
        "A bucket, disk, file system, registry or secret is destroyed or recreated, with its data.",
        ("bucket_removed", "disk_removed", "registry_removed", "secret_removed"),
    ),
    "replacement": (
        "A cluster, pool or network is recreated.",
        ("cluster_replaced", "pool_replaced", "pool_renamed", "network_replaced", "range_in_use"),
    ),
    "removal": (
        "A cluster, pool or node is destroyed, or left behind.",
        (
            "cluster_removed",
            "cluster_orphaned",
            "stack_orphaned",
            "pool_removed",
            "nodes_removed",
            "nodes_moved",
        ),
    ),
}


def groups_of(name: RiskName) -> tuple[str, ...]:
    """The groups that a risk is in."""
    return tuple(group for group, (_, names) in GROUPS.items() if name in names)
