"""Ideas and words for resource types: which part of a cluster they belong to."""

import re
from typing import NamedTuple

from clusterprint.masking import mask
from clusterprint.review import file_imports
from clusterprint.review.delta import Resource, get
from clusterprint.review.known import so_far
from clusterprint.review.model import Idea


class Word(NamedTuple):
    """What a type of resource is: its idea, and a noun."""

    idea: Idea
    noun: str


_CUSTOM = "google_project_iam_custom_role"
_TYPES: dict[str, Word] = {
    "google_container_cluster": Word("cluster", "GKE cluster"),
    "google_container_node_pool": Word("node pool", "node pool"),
    "google_compute_instance_template": Word("node pool", "instance template"),
    "google_compute_region_instance_template": Word("node pool", "instance template"),
    "google_compute_instance_group_manager": Word("node pool", "instance group"),
    "google_compute_region_instance_group_manager": Word("node pool", "instance group"),
    "google_compute_per_instance_config": Word("node pool", "node"),
    "google_compute_instance": Word("node pool", "virtual machine"),
    "google_compute_resize_request": Word("node pool", "request for nodes"),
    "google_compute_resource_policy": Word("node pool", "placement policy"),
    "google_compute_reservation": Word("node pool", "reservation"),
    "google_compute_health_check": Word("health checks", "health check"),
    "google_compute_network": Word("network", "VPC network"),
    "google_compute_subnetwork": Word("network", "subnet"),
    "google_compute_firewall": Word("network", "firewall rule"),
    "google_compute_router": Word("network", "router"),
    "google_compute_router_nat": Word("network", "NAT"),
    "google_compute_address": Word("network", "address"),
    "google_compute_global_address": Word("network", "address"),
    "google_service_networking_connection": Word("network", "private connection"),
    "google_storage_bucket": Word("storage", "bucket"),
    "google_storage_anywhere_cache": Word("storage", "bucket cache"),
    "google_storage_bucket_object": Word("files", "file"),
    "google_compute_disk": Word("storage", "disk"),
    "google_compute_storage_pool": Word("storage", "disk pool"),
    "google_compute_attached_disk": Word("storage", "attached disk"),
    "google_filestore_instance": Word("storage", "Filestore instance"),
    "google_filestore_snapshot": Word("storage", "Filestore snapshot"),
    "google_lustre_instance": Word("storage", "Lustre instance"),
    "google_netapp_storage_pool": Word("storage", "NetApp pool"),
    "google_netapp_volume": Word("storage", "NetApp volume"),
    "google_parallelstore_instance": Word("storage", "Parallelstore instance"),
    "google_cloud_scheduler_job": Word("node pool", "job that ends nodes"),
    _CUSTOM: Word("IAM", "custom role"),
    "google_service_account": Word("IAM", "service account"),
    "google_service_account_key": Word("IAM", "service-account key"),
    "google_project_service": Word("services", "API"),
    "google_secret_manager_regional_secret": Word("secrets", "regional secret"),
    "google_secret_manager_secret": Word("secrets", "secret"),
    "google_secret_manager_secret_version": Word("secrets", "version of a secret"),
    "google_artifact_registry_repository": Word("registry", "repository"),
    "google_cloudbuild_worker_pool": Word("registry", "build pool"),
    "google_cloudbuild_trigger": Word("registry", "build trigger"),
    "azurerm_resource_group": Word("cluster", "resource group"),
    "azurerm_kubernetes_cluster": Word("cluster", "AKS cluster"),
    "azurerm_kubernetes_cluster_node_pool": Word("node pool", "node pool"),
    "azurerm_linux_virtual_machine_scale_set": Word("node pool", "scale set"),
    "azurerm_orchestrated_virtual_machine_scale_set": Word("node pool", "scale set"),
    "azurerm_virtual_machine_scale_set_extension": Word("health checks", "extension"),
    "azurerm_virtual_machine_extension": Word("health checks", "extension"),
    "azurerm_linux_virtual_machine": Word("node pool", "virtual machine"),
    "azurerm_proximity_placement_group": Word("node pool", "placement group"),
    "azurerm_availability_set": Word("node pool", "availability set"),
    "azurerm_capacity_reservation": Word("node pool", "capacity reservation"),
    "azurerm_virtual_network": Word("network", "virtual network"),
    "azurerm_subnet": Word("network", "subnet"),
    "azurerm_network_security_group": Word("network", "security group"),
    "azurerm_network_security_rule": Word("network", "security rule"),
    "azurerm_network_interface": Word("network", "network interface"),
    "azurerm_public_ip": Word("network", "public address"),
    "azurerm_nat_gateway": Word("network", "NAT gateway"),
    "azurerm_lb": Word("network", "load balancer"),
    "azurerm_storage_account": Word("storage", "storage account"),
    "azurerm_storage_container": Word("storage", "container"),
    "azurerm_managed_lustre_file_system": Word("storage", "Lustre file system"),
    "azurerm_storage_share": Word("storage", "file share"),
    "azurerm_managed_disk": Word("storage", "disk"),
    "azurerm_user_assigned_identity": Word("IAM", "identity"),
    "azurerm_role_assignment": Word("IAM", "role assignment"),
    "azurerm_key_vault": Word("secrets", "key vault"),
    "azurerm_key_vault_secret": Word("secrets", "secret"),
    "azurerm_container_registry": Word("registry", "registry"),
    "helm_release": Word("workloads", "Helm release"),
    "terraform_data": Word("other", "marker"),
}

# Where the type is not listed, what is in its name or at its beginning.
_PARTS: tuple[tuple[str, Idea], ...] = (
    ("_iam_", "IAM"),
    ("role_binding", "IAM"),
    ("role_assignment", "IAM"),
    ("secret", "secrets"),
    ("kubernetes_persistent_volume", "storage"),
    ("kubernetes_", "workloads"),
    ("network", "network"),
    ("subnet", "network"),
    ("firewall", "network"),
    ("public_ip", "network"),
    ("disk", "storage"),
    ("storage", "storage"),
    ("virtual_machine", "node pool"),
    ("artifact_registry", "registry"),
    ("monitoring", "health checks"),
)

_PROVIDERS = ("google_", "azurerm_", "kubernetes_", "azapi_", "random_", "null_", "time_")

# The argument that names a resource, the first one that it has.
_NAMES = (
    "account_id",
    "name",
    "metadata.name",
    "name_prefix",
    "service",
    "secret_id",
    "role_id",
    "repository_id",
    "input.volume",
    "instance_id",
)

# Resources of Terraform's own that have a meaning, by their addresses.
_MARKERS: dict[str, Word] = {"terraform_data.kept_data": Word("storage", "guard of volume")}

_PATH = re.compile(r"projects/[^/]+/(?:locations|secrets)/")


def word(type_: str) -> Word:
    """What a type of resource is."""
    if type_ in _TYPES:
        return _TYPES[type_]
    idea: Idea = next((idea for part, idea in _PARTS if part in type_), "other")
    if "_iam_" in type_:
        return Word("IAM", "role")
    bare = type_
    for provider in _PROVIDERS:
        bare = bare.removeprefix(provider)
    return Word(idea, bare.removesuffix("_v1").replace("_", " "))


def idea(resource: Resource) -> Idea:
    """What idea of a cluster a resource belongs to."""
    return "storage" if file_imports.source(resource) else word_of(resource).idea


def word_of(resource: Resource) -> Word:
    """What a resource is: its type says that, or for some the address."""
    return _MARKERS.get(resource.base) or word(resource.type)


def title(resource: Resource) -> str:
    """A resource in people's words: `bucket my-data`, `role storage.objectUser on bucket my-data`."""
    grants = "_iam_" in resource.type and resource.type != _CUSTOM
    if grants or resource.type == "azurerm_role_assignment":
        return _grant(resource)
    return file_imports.title(resource) or f"{word_of(resource).noun} {name(resource)}".strip()


def name(resource: Resource) -> str:
    """What a resource is called in the cloud; what it is called in Terraform where that is not known.

    Masked before it is cut: half a secret may not be seen to be one.
    """
    template = resource.type.endswith("_template")  # each is a new one, with a new name
    for path in ("name_prefix", *_NAMES) if template else _NAMES:
        found = so_far(get(resource.values, path))
        if found:
            return _last(mask(found)).rstrip("-")
    return resource.address.partition(".")[2]


def _last(name: str) -> str:
    """The last part of a name that clouds write as a path, which plans know of what is there already."""
    return name.rpartition("/")[2] if _PATH.match(name) else name


def _grant(resource: Resource) -> str:
    role = get(resource.values, "role") or get(resource.values, "role_definition_name")
    if role is None:
        return "custom role" if any(_CUSTOM in each for each in resource.refers.get("role", ())) else "role"
    where = next(
        (
            f" on {noun} {mask(found).rpartition('/')[2]}"
            for key, noun in (("bucket", "bucket"), ("secret_id", "secret"), ("repository", "repository"))
            if isinstance(found := get(resource.values, key), str) and "${" not in found
        ),
        "",
    )
    return f"role {str(role).removeprefix('roles/')}{where}"


#: What is told apart by its name in the changes of a cluster.
_STORES = (
    "google_storage_bucket", "google_filestore_instance", "google_lustre_instance", "google_netapp_volume",
    "google_parallelstore_instance",
)  # fmt: skip


def group_name(resource: Resource) -> str:
    """What tells several groups of one idea apart: the name of the node pool or bucket."""
    if resource.type in ("google_container_node_pool", "azurerm_kubernetes_cluster_node_pool"):
        return name(resource)
    if resource.type in _STORES:
        return name(resource)
    return ""
