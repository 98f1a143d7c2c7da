"""Blueprints of Cluster Toolkit in the shape of 35 of its examples (v1.95): modules and settings, no text.

Each row has the modules and settings of its example that matter to an import, with values of our own, and
what an import of the example itself loses. Parts that many examples share are functions.
"""

from typing import Any, NamedTuple

Module = dict[str, Any]
QUEUES = "queues are not read from a template"
JOB = "it only writes a manifest of a job"
SECOND = "gets no further network"
NETWORKS = "pods name these networks"


class Row(NamedTuple):
    """An example: its number and name, its variables and modules, and the losses that are told.

    `keys` are keys of the first level besides.
    """

    number: str
    name: str
    variables: dict[str, Any]
    modules: list[Module]
    losses: tuple[str, ...] = ()
    keys: dict[str, Any] = {}  # noqa: RUF012 - nobody changes it

    @property
    def text(self) -> dict[str, Any]:
        """The blueprint as data."""
        basics = {"project_id": "my-project", "deployment_name": f"row-{self.number}"}
        group = {"group": "primary", "modules": self.modules}
        return {
            "blueprint_name": self.name,
            "vars": {**basics, **self.variables},
            "deployment_groups": [group],
            **self.keys,
        }


def module(source: str, identity: str, use: tuple[str, ...] = (), /, **settings: Any) -> Module:
    found: Module = {"id": identity, "source": f"modules/{source}"}
    return found | ({"use": [*use]} if use else {}) | ({"settings": settings} if settings else {})


# ---- networks and accounts

RANGES = [
    {"range_name": "pods", "ip_cidr_range": "10.4.0.0/14"},
    {"range_name": "services", "ip_cidr_range": "10.0.32.0/20"},
]


def rules(name: str, *ranges: str) -> list[dict[str, Any]]:
    allow = [{"protocol": "tcp", "ports": ["0-65535"]}, {"protocol": "udp"}, {"protocol": "icmp"}]
    return [{"name": f"$(vars.deployment_name)-{name}", "ranges": [*ranges], "allow": allow}]


def host_net(name: str, address: str = "192.168.0.0/18", /, **settings: Any) -> Module:
    """The network of a cluster, in the form of the large examples."""
    subnet = {"subnet_name": f"{name}-sub", "subnet_region": "$(vars.region)", "subnet_ip": address}
    return module(
        "network/vpc",
        name,
        network_name=f"$(vars.deployment_name)-{name}",
        subnetworks=[subnet],
        secondary_ranges_list=[{"subnetwork_name": f"{name}-sub", "ranges": RANGES}],
        firewall_rules=rules("internal", "192.168.0.0/16"),
        **settings,
    )


def small_net(name: str = "network1", **settings: Any) -> Module:
    """The network of a cluster, in the form of the small examples."""
    subnet = "$(vars.deployment_name)-subnet"
    listed = [{"subnetwork_name": subnet, "ranges": RANGES}]
    return module("network/vpc", name, **{"secondary_ranges_list": listed, **settings})


def more_net(name: str, address: str = "192.168.64.0/18", **settings: Any) -> Module:
    subnet = {"subnet_name": f"{name}-sub", "subnet_region": "$(vars.region)", "subnet_ip": address}
    return module(
        "network/vpc",
        name,
        network_name=f"$(vars.deployment_name)-{name}",
        subnetworks=[subnet],
        firewall_rules=rules(name, "192.168.0.0/16"),
        **settings,
    )


def rdma_net(name: str, count: int = 8, **settings: Any) -> Module:
    template = {
        "name_prefix": name,
        "count": count,
        "ip_range": "192.168.128.0/18",
        "region": "$(vars.region)",
    }
    return module(
        "network/gpu-rdma-vpc",
        name,
        network_name=f"$(vars.deployment_name)-{name}",
        network_profile="projects/$(vars.project_id)/global/networkProfiles/$(vars.zone)-vpc-roce",
        network_routing_mode="REGIONAL",
        **{"subnetworks_template": template, **settings},
    )


def gpu_nets(count: int, ranges: str) -> Module:
    return module(
        "network/multivpc",
        "gpunets",
        network_name_prefix="$(vars.deployment_name)-gpunet",
        global_ip_address_range=ranges,
        network_count=count,
        subnetwork_cidr_suffix=20,
        mtu=8244,
    )


WRITERS = [
    "logging.logWriter",
    "monitoring.metricWriter",
    "monitoring.viewer",
    "stackdriver.resourceMetadata.writer",
]
PULLERS = ["storage.objectViewer", "artifactregistry.reader"]


def accounts(*more: str) -> list[Module]:
    pods = [*WRITERS, "storage.objectAdmin", "artifactregistry.reader", *more]
    return [
        module("project/service-account", "node_account", name="gke-np", project_roles=[*WRITERS, *PULLERS]),
        module("project/service-account", "pod_account", name="gke-wl", project_roles=pods),
    ]


# ---- clusters, pools and what runs on them

FOREVER = [
    {
        "name": "no-upgrades",
        "start_time": "2025-12-01T00:00:00Z",
        "exclusion_scope": "NO_MINOR_OR_NODE_UPGRADES",
        "exclusion_end_time_behavior": "UNTIL_END_OF_SUPPORT",
    }
]
ONE_MORE = '$(concat([{network=more.network_name, nic_type="GVNIC", subnetwork_project=vars.project_id}]))'
INTERFACES = '$(concat([{network=more.network_name, nic_type="GVNIC"}], rdma.subnetwork_interfaces_gke))'


def cluster(*use: str, **settings: Any) -> Module:
    office = [{"cidr_block": "$(vars.authorized_cidr)", "display_name": "kubectl-access-network"}]
    return module(
        "scheduler/gke-cluster",
        "cluster",
        use,
        enable_private_endpoint=False,
        configure_workload_identity_sa=True,
        master_authorized_networks=office,
        **settings,
    ) | {"outputs": ["instructions"]}


def large_cluster(*use: str, **settings: Any) -> Module:
    return cluster(
        *use,
        "pod_account",
        **{
            "system_node_pool_machine_type": "n4-standard-16",
            "system_node_pool_disk_type": "hyperdisk-balanced",
            "system_node_pool_disk_size_gb": "$(vars.system_node_pool_disk_size_gb)",
            "system_node_pool_taints": [],
            "enable_dcgm_monitoring": True,
            "additional_networks": INTERFACES,
            "release_channel": "REGULAR",
            "maintenance_exclusions": FOREVER,
            **settings,
        },
    )


def reserved(name: str = "$(vars.reservation)") -> dict[str, Any]:
    return {"consume_reservation_type": "SPECIFIC_RESERVATION", "specific_reservations": [{"name": name}]}


def pool(
    identity: str = "pool", use: tuple[str, ...] = ("cluster", "node_account"), **settings: Any
) -> Module:
    return module("compute/gke-node-pool", identity, use, **settings) | {"outputs": ["instructions"]}


def gpu_pool(machine_type: str, gpu: str, count: int = 8, **settings: Any) -> Module:
    return pool(
        machine_type=machine_type,
        zones=["$(vars.zone)"],
        guest_accelerator=[{"type": gpu, "count": count}],
        **{"auto_upgrade": True, **settings},
    )


def installed(**settings: Any) -> Module:
    return module("management/kubectl-apply", "install", ("cluster",), **settings)


def queues(**template: Any) -> dict[str, Any]:
    return {
        "install": True,
        "config_path": '$(ghpc_stage("./queues.yaml.tftpl"))',
        "config_template_vars": template,
    }


def gib(count: int = 8, **template: Any) -> dict[str, Any]:
    words = {"version": "v1.1.0", "accelerator_count": count, **template}
    return {"install": True, "path": '$(ghpc_stage("./nccl-installer.yaml.tftpl"))', "template_vars": words}


HERE = {"install": True}


def job(identity: str = "job", /, **settings: Any) -> Module:
    return module("compute/gke-job-template", identity, ("pool",), image="bash", command=["true"], **settings)


# ---- storage


def bucket(name: str, /, **settings: Any) -> Module:
    names = {"local_mount": f"/{name}", "name_prefix": name, "random_suffix": True, "force_destroy": False}
    return module(
        "file-system/cloud-storage-bucket",
        name,
        **{**names, "enable_hierarchical_namespace": True, **settings},
    )


def mounted(name: str, options: str) -> Module:
    return module(
        "file-system/pre-existing-network-storage",
        f"mount-{name}",
        remote_mount=f"$({name}.gcs_bucket_name)",
        local_mount=f"/{name}",
        fs_type="gcsfuse",
        mount_options=options,
    )


def persistent(name: str, /, *use: str, **settings: Any) -> Module:
    return module(
        "file-system/gke-persistent-volume", f"{name}-pv", (*use, "cluster"), capacity_gib=1000000, **settings
    )


def profiled_buckets() -> list[Module]:
    """Buckets with storage classes for Cloud Storage FUSE."""
    return [
        bucket("training"),
        bucket("checkpoint"),
        persistent("training", "training", gcsfuse_storage_class_name="gcsfusecsi-training"),
        persistent("checkpoint", "checkpoint", gcsfuse_storage_class_name="gcsfusecsi-checkpointing"),
    ]


def home(**settings: Any) -> Module:
    return module("file-system/filestore", "homefs", ("net0",), local_mount="/home", **settings) | {
        "outputs": ["network_storage"]
    }


def wait(*machines: str, **settings: Any) -> Module:
    return module(
        "scripts/wait-for-startup", "wait", **{"instance_names": f"$({machines[0]}.name)", **settings}
    )


def variables(zone: str, **more: Any) -> dict[str, Any]:
    return {"region": zone.rsplit("-", 1)[0], "zone": zone, **more}


def gke(zone: str, **more: Any) -> dict[str, Any]:
    basics = {"authorized_cidr": "198.51.100.0/24", "system_node_pool_disk_size_gb": 200}
    return variables(zone, **basics, **more)


def small_gke(zone: str, **more: Any) -> dict[str, Any]:
    return variables(zone, authorized_cidr="198.51.100.0/24", gcp_public_cidrs_access_enabled=False, **more)


RESERVED = {"reservation": "my-block", "static_node_count": 2}
NAMES = {"gvnic_prefix": "vpc", "gvnic_start_index": 1}
LOCAL = [{"name": "run-nvidia-smi", "node_count": 2, "k8s_service_account_name": "workload-identity-k8s-sa"}]
FALCON: dict[str, Any] = {
    "network_profile": "projects/$(vars.project_id)/global/networkProfiles/$(vars.zone)-vpc-falcon",
    "network_routing_mode": "REGIONAL",
    "enable_cloud_router": False,
    "enable_cloud_nat": False,
}
STACKED = {"version_prefix": "1.35.", "enable_gcsfuse_csi": True}
