"""`scheduler/gke-cluster` and the service accounts that go with it."""

from clusterprint.importing.toolkit.module import Module

_ADDONS = {
    "enable_gcsfuse_csi": "gcs_fuse",
    "enable_filestore_csi": "filestore",
    "enable_managed_lustre_csi": "lustre",
    "enable_parallelstore_csi": "parallelstore",
    "enable_persistent_disk_csi": "persistent_disk",
    "enable_ray_operator": "ray",
    "enable_node_local_dns_cache": "dns_cache",
}
_CLUSTER = {
    "enable_multi_networking": "multi_networking",
    "enable_dataplane_v2": "dataplane_v2",
    "enable_private_nodes": "private_nodes",
    "deletion_protection": "deletion_protection",
}
_SCOPES = {
    "NO_UPGRADES": "no_upgrades",
    "NO_MINOR_UPGRADES": "no_minor_upgrades",
    "NO_MINOR_OR_NODE_UPGRADES": "no_minor_or_node_upgrades",
}
_KSA = "workload-identity-k8s-sa"
# Roles that the nodes' account has, or whose work others do (Artifact Registry is read by every node).
_NODE_ROLES = {
    "logging.logWriter",
    "monitoring.metricWriter",
    "monitoring.viewer",
    "stackdriver.resourceMetadata.writer",
}
_UNTIL_END = "UNTIL_END_OF_SUPPORT"


def cluster(module: Module) -> None:
    """A GKE cluster."""
    for setting, key in _ADDONS.items():
        module.put(setting, ("cluster", "addons", key))
    for setting, key in _CLUSTER.items():
        module.put(setting, ("cluster", key))
    module.put("enable_dcgm_monitoring", ("cluster", "monitoring", "gpu_metrics"))
    module.put("version_prefix", ("cluster", "version"), lambda text: str(text).rstrip("."))
    module.put("min_master_version", ("cluster", "version"))
    module.put(
        "release_channel",
        ("cluster", "release_channel"),
        lambda text: {"UNSPECIFIED": "none"}.get(str(text), str(text).lower()),
    )
    module.put("cluster_availability_type", ("cluster", "location"), lambda text: str(text).lower())
    module.put("maintenance_start_time", ("cluster", "maintenance", "daily_start"))
    _networks(module)
    _exclusions(module)
    _system_pool(module)
    _identity(module)
    # Device networks come with the pools; names and addresses of the control plane are GKE's.
    module.follows(
        "additional_networks", "project_id", "region", "zone", "deployment_name", "labels", "name_suffix"
    )
    module.follows(
        "prefix_with_deployment_name", "master_ipv4_cidr_block", "k8s_network_names", "system_node_pool_name"
    )


def _networks(module: Module) -> None:
    found = [
        {"name": str(each.get("display_name") or "network"), "cidr": each.get("cidr_block")}
        for each in module.maps("master_authorized_networks")
    ]
    if found:
        module.deployment.work.put(
            module.line("master_authorized_networks"), ("cluster", "authorized_networks"), found
        )
    module.follows(
        "enable_private_endpoint"
    )  # says that those networks reach the control plane, which they do
    module.lose(
        "gcp_public_cidrs_access_enabled", "addresses of all of Google Cloud are not let in", "name networks"
    )


def _exclusions(module: Module) -> None:
    found = []
    for each in module.maps("maintenance_exclusions"):
        until = each.get("exclusion_end_time_behavior") == _UNTIL_END or not each.get("end_time")
        scope = _SCOPES.get(str(each.get("exclusion_scope")), "no_upgrades")
        found.append(
            {
                "name": each.get("name"),
                "start": each.get("start_time"),
                **({"until_end_of_support": True} if until else {"end": each.get("end_time")}),
                "scope": scope,
            }
        )
    if found:
        module.deployment.work.put(
            module.line("maintenance_exclusions"), ("cluster", "maintenance", "exclusions"), found
        )


def _system_pool(module: Module) -> None:
    if not module.get("system_node_pool_enabled", True):
        message = f"{module.id} has no system pool, and every cluster here has one"
        module.deployment.work.say(module.line("system_node_pool_enabled"), "loss", message)
    module.put("system_node_pool_machine_type", ("system_pool", "machine_type"))
    module.put("system_node_pool_disk_size_gb", ("system_pool", "disk_size_gb"))
    module.put("system_node_pool_zones", ("system_pool", "zones"))
    module.follows("system_node_pool_disk_type")  # the machine type decides
    module.lose("system_node_pool_taints", "the system pool has no taints of its own")
    count = module.get("system_node_pool_node_count")
    if isinstance(count, dict):
        size = {"min": count.get("total_min_nodes", 2), "max": count.get("total_max_nodes", 10)}
        module.deployment.work.put(
            module.line("system_node_pool_node_count"), ("system_pool", "autoscaling"), size
        )


def _identity(module: Module) -> None:
    """The account of pods. Roles of whole projects go with it, as they did."""
    account = next(module.uses("project/service-account"), None)
    name = module.get("k8s_service_account_name", _KSA)
    namespace = module.get("namespace", "default")
    if not module.get("configure_workload_identity_sa", default=False) or account is None:
        return
    roles = _roles(account.texts("project_roles"))
    module.deployment.work.append(
        account.line("project_roles"),
        ("workload_identity",),
        {"name": name, "namespace": namespace, "roles": roles},
    )


def _roles(roles: list[str]) -> list[str]:
    return [each if "/" in each else f"roles/{each}" for each in roles]


def account(module: Module) -> None:
    """A service account: the nodes' has roles in the blueprint; a pod's goes with its cluster."""
    module.follows("name", "display_name", "description", "project_id", "deployment_name", "labels")
    work = module.deployment.work
    of_nodes = any(
        module.id in each.use and each.kind in ("compute/gke-node-pool", "compute/vm-instance")
        for each in module.deployment.modules
    )
    more = _roles([each for each in module.texts("project_roles") if each not in _NODE_ROLES])
    if of_nodes and more:
        work.put(module.line("project_roles"), ("service_account", "roles"), more)
