"""`scheduler/gke-cluster` and the service accounts that go with it."""

from clusterprint import catalog
from clusterprint.importing.toolkit.module import Module

_ADDONS = {
    "enable_gcsfuse_csi": "gcs_fuse",
    "enable_filestore_csi": "filestore",
    "enable_managed_lustre_csi": "lustre",
    "enable_parallelstore_csi": "parallelstore",
    "enable_persistent_disk_csi": "persistent_disk",
    "enable_ray_operator": "ray",
    "enable_node_local_dns_cache": "dns_cache",
    "enable_multi_tier_checkpointing": "multi_tier_checkpointing",
}
_CLUSTER = {
    "enable_multi_networking": "multi_networking",
    "enable_dataplane_v2": "dataplane_v2",
    "enable_private_nodes": "private_nodes",
    "deletion_protection": "deletion_protection",
    "enable_gcfs": "image_streaming",
}
_SCOPES = {
    "NO_UPGRADES": "no_upgrades",
    "NO_MINOR_UPGRADES": "no_minor_upgrades",
    "NO_MINOR_OR_NODE_UPGRADES": "no_minor_or_node_upgrades",
}
# Off in Cluster Toolkit unless asked for, and not here.
_NOT_HERE = (*("enable_slice_controller", "enable_master_global_access"),)
# What installs components.
_APPLY = "management/kubectl-apply"
_KSA = "workload-identity-k8s-sa"
# Roles that the nodes' account has, or whose work others do (Artifact Registry is read by every node).
_NODE_ROLES = {
    "logging.logWriter",
    "monitoring.metricWriter",
    "monitoring.viewer",
    "stackdriver.resourceMetadata.writer",
}
# By which the controller of Slurm-GCP makes and deletes nodes.
_MANAGES = {"compute.admin", "compute.instanceAdmin.v1", "iam.serviceAccountUser", "pubsub.admin"}
_WITH_ACCOUNT = ("compute/gke-node-pool", "compute/vm-instance")
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
    _monitoring(module)
    _networks(module)
    _exclusions(module)
    _system_pool(module)
    _identity(module)
    if module.on("enable_inference_gateway"):
        line = module.line("enable_inference_gateway")
        module.deployment.work.put(line, ("workloads", "inference"), value={})
    module.on("enable_pathways_for_tpus")  # a pool, which comes after all others
    if module.on("enable_ml_diagnostics"):
        line = module.line("enable_ml_diagnostics")
        # GKE's own is asked for by an argument that the provider has in beta only.
        module.deployment.work.put(line, ("workloads", "ml_diagnostics"), value={})
        if not any(each.part("cert_manager").on("install") for each in module.deployment.of(_APPLY)):
            module.deployment.work.put(line, ("workloads", "cert_manager"), value={})
            module.deployment.work.decide("ML Diagnostics comes with cert-manager, which it needs")
    module.off(*_NOT_HERE)
    apis = module.texts("enable_k8s_beta_apis")
    if all(each.startswith("resource.k8s.io/") for each in apis) and any(
        each.part("nvidia_dra_driver").on("install") for each in module.deployment.of(_APPLY)
    ):
        module.follows("Kubernetes serves the APIs that NVIDIA's DRA driver needs", "enable_k8s_beta_apis")
    else:
        module.same("enable_k8s_beta_apis", [])
    bare = any(
        (machine := catalog.machine(str(each.get("machine_type")))) and machine.bare_metal
        for each in module.deployment.of("compute/gke-node-pool")
    )
    module.same("enable_shielded_nodes", not bare, why="nodes are shielded, unless they are bare metal")
    module.follows("networks of pools come with their machines", "additional_networks")
    module.refers("k8s_network_names")  # what this means for pods is said of each pool
    module.settle("k8s_network_names")
    module.follows("names follow from the cluster's", "name_suffix", "prefix_with_deployment_name")
    module.follows("Google chooses the control plane's range", "master_ipv4_cidr_block")


def _monitoring(module: Module) -> None:
    scope = module.get("auto_monitoring_scope")
    if scope in ("ALL", "NONE"):
        line = module.line("auto_monitoring_scope")
        module.deployment.work.put(line, ("cluster", "monitoring", "auto_monitoring"), scope == "ALL")
    else:
        module.same("auto_monitoring_scope")


def _networks(module: Module) -> None:
    found = [
        {"name": str(each.get("display_name", "network")), "cidr": each.get("cidr_block")}
        for each in module.parts("master_authorized_networks")
    ]
    if found:
        module.deployment.work.put(
            module.line("master_authorized_networks"), ("cluster", "authorized_networks"), found
        )
    module.same(
        "enable_private_endpoint",
        False,
        why="the control plane also has a public address, open to authorized networks only",
        help_text="without authorized_networks it is closed; its DNS name then lets in whom IAM allows",
    )
    module.same(
        "gcp_public_cidrs_access_enabled",
        False,
        why="addresses of all of Google Cloud are not let in",
        help_text="name networks",
    )


def _exclusions(module: Module) -> None:
    work = module.deployment.work
    found = []
    for each in module.parts("maintenance_exclusions"):
        name, start, end = each.get("name"), each.get("start_time"), each.get("end_time")
        scope = _SCOPES.get(str(each.get("exclusion_scope")), str(each.get("exclusion_scope")))
        behavior = each.get("exclusion_end_time_behavior")
        if behavior not in (None, _UNTIL_END) or (behavior is None and not end):
            message = f"maintenance_exclusions of {module.id}: {name} ({scope}) has no end that is known"
            help_text = "name an end in cluster.maintenance.exclusions, or write until_end_of_support: true"
            work.say(module.line("maintenance_exclusions"), "loss", message, help_text)
            continue
        last = {"until_end_of_support": True} if behavior else {"end": end}
        found.append({"name": name, "start": start, **last, "scope": scope})
    if found:
        work.put(module.line("maintenance_exclusions"), ("cluster", "maintenance", "exclusions"), found)


def _system_pool(module: Module) -> None:
    module.same("system_node_pool_enabled", True, why="every cluster here has a system pool")
    module.put("system_node_pool_machine_type", ("system_pool", "machine_type"))
    module.put("system_node_pool_disk_size_gb", ("system_pool", "disk_size_gb"))
    module.put("system_node_pool_zones", ("system_pool", "zones"))
    module.follows(
        "the disk type of the system pool follows from its machine type", "system_node_pool_disk_type"
    )
    module.follows("names follow from the cluster's", "system_node_pool_name")
    module.same("system_node_pool_image_type", "COS_CONTAINERD")
    module.same("system_node_pool_enable_secure_boot", True)
    if module.refers("system_node_pool_taints"):
        module.lost("system_node_pool_taints", "the system pool has no taints of its own")
    count = module.part("system_node_pool_node_count")
    if count:
        size = {"min": count.get("total_min_nodes", 2), "max": count.get("total_max_nodes", 10)}
        line = module.line("system_node_pool_node_count")
        module.deployment.work.put(line, ("system_pool", "autoscaling"), size)


def _identity(module: Module) -> None:
    """The account of pods. Roles of whole projects go with it, as they did."""
    work = module.deployment.work
    if not module.on("configure_workload_identity_sa"):
        why = "pods have no account of their own without configure_workload_identity_sa"
        module.follows(why, "k8s_service_account_name", "namespace")
        return
    account = next(module.uses("project/service-account"), None)
    if account is None:
        why = "pods have no account of their own where no module of one is used"
        module.follows(why, "configure_workload_identity_sa", "k8s_service_account_name", "namespace")
        return
    found = {
        "name": module.get("k8s_service_account_name", _KSA),
        "namespace": module.get("namespace", "default"),
        "roles": _roles(account.texts("project_roles")),
    }
    work.append(account.line("project_roles"), ("workload_identity",), found)


def _roles(roles: list[str]) -> list[str]:
    return [each if "/" in each else f"roles/{each}" for each in roles]


def account(module: Module) -> None:
    """A service account: the nodes' has roles in the blueprint; a pod's goes with its cluster."""
    module.follows("names follow from the cluster's", "name", "display_name", "description")
    users = [each for each in module.deployment.modules if each.has(module)]
    roles = module.texts("project_roles")
    if any(each.kind in _WITH_ACCOUNT or "slurm-gcp" in each.kind for each in users):
        work = module.deployment.work
        theirs = [each for each in roles if any("controller" in user.kind for user in users)]
        if lost := sorted({*theirs} & _MANAGES):
            work.decide(f"nodes have permissions to stop and start nodes, and not {', '.join(lost)}")
        there = work.data.get("service_account", {}).get("roles", [])
        more = _roles([each for each in roles if each not in {*_NODE_ROLES, *lost}])
        if more and there and {*more} != {*there}:
            work.decide("all nodes have one account, which has the roles of all accounts of the file")
        if more:
            both = [*dict.fromkeys((*there, *more))]
            work.put(module.line("project_roles"), ("service_account", "roles"), both)
    elif not any(_has_pods(each) for each in users) and roles:
        module.lost("project_roles", "neither nodes nor pods use this account")


def _has_pods(module: Module) -> bool:
    return module.kind == "scheduler/gke-cluster" and module.on("configure_workload_identity_sa")
