"""Clusters without accelerators, or with the smallest, and what they store."""

from typing import Any

from toolkit_examples import (
    FALCON,
    FOREVER,
    HERE,
    INTERFACES,
    JOB,
    NETWORKS,
    QUEUES,
    RANGES,
    RESERVED,
    Module,
    Row,
    accounts,
    bucket,
    cluster,
    gke,
    host_net,
    installed,
    job,
    large_cluster,
    module,
    more_net,
    persistent,
    pool,
    queues,
    reserved,
    small_gke,
    small_net,
)

TAINTS = [{"key": "node-type", "value": "h4d", "effect": "NO_SCHEDULE"}]
MPI = "https://raw.githubusercontent.com/kubeflow/mpi-operator/v0.7.0/deploy/v2beta1/mpi-operator.yaml"


def h4d_flex() -> Row:
    falcon = module(
        "network/multivpc",
        "rdma",
        network_name_prefix="rdma",
        network_count=1,
        global_ip_address_range="10.20.0.0/16",
        subnetwork_cidr_suffix=24,
        subnetwork_private_access=False,
        network_interface_defaults={"nic_type": "IRDMA"},
        **FALCON,
    )
    policy = {"type": "HIGH_THROUGHPUT", "max_topology_distance": "CLUSTER"}
    return Row(
        "09",
        "gke-h4d (flex-start, compact placement)",
        gke("us-central1-a", enable_flex_start=True),
        [
            host_net("net0", "10.10.0.0/20"),
            falcon,
            *accounts(),
            large_cluster(
                "net0",
                "rdma",
                enable_multi_networking=True,
                enable_filestore_csi=True,
                version_prefix="1.35.",
            ),
            module("compute/resource-policy", "policy", name="h4d", workload_policy=policy),
            pool(
                use=("cluster", "rdma", "node_account", "policy"),
                machine_type="h4d-standard-192",
                enable_flex_start="$(vars.enable_flex_start)",
                auto_repair=False,
                auto_upgrade=True,
                zones=["$(vars.zone)"],
                max_run_duration=900,
                disk_size_gb=100,
                taints=TAINTS,
            ),
            installed(kueue=HERE, jobset=HERE, apply_manifests=[{"source": MPI, "server_side_apply": True}]),
        ],
        (NETWORKS,),
    )


def h4d() -> Row:
    return Row(
        "16",
        "gke-h4d",
        gke("us-central1-a", **RESERVED),
        [
            host_net("net0"),
            more_net("rdma", "192.168.64.0/24", **FALCON),
            *accounts(),
            large_cluster(
                "net0", enable_multi_networking=True, enable_filestore_csi=True, version_prefix="1.35."
            ),
            pool(
                machine_type="h4d-highmem-192-lssd",
                auto_upgrade=True,
                zones=["$(vars.zone)"],
                disk_size_gb=100,
                static_node_count="$(vars.static_node_count)",
                reservation_affinity=reserved(),
                taints=TAINTS,
                placement_policy={"type": "COMPACT"},
                additional_networks=INTERFACES,
            ),
            installed(kueue=HERE, jobset=HERE),
            module("file-system/filestore", "shared", ("net0",), local_mount="/shared"),
            persistent("shared", "shared"),
            job(),
        ],
        (NETWORKS, JOB),
    )


def hyperdisk() -> Row:
    def disks(name: str) -> Module:
        return module(
            "file-system/gke-storage",
            name,
            ("cluster",),
            storage_type=f"Hyperdisk-{name}",
            access_mode="ReadWriteOnce",
            capacity_gb=100,
            pvc_count=1,
        )

    net = small_net("network", subnetwork_name="disks")
    net["settings"]["secondary_ranges"] = {"disks": RANGES}
    del net["settings"]["secondary_ranges_list"]
    return Row(
        "17",
        "gke-managed-hyperdisk",
        small_gke("europe-west1-b"),
        [
            net,
            cluster(
                "network",
                release_channel="RAPID",
                enable_persistent_disk_csi=True,
                maintenance_exclusions=FOREVER,
            ),
            *(disks(each) for each in ("balanced", "throughput", "extreme")),
            pool(
                "pool", ("cluster",), zones=["$(vars.zone)"], machine_type="c3-standard-88", auto_upgrade=True
            ),
            job(),
        ],
        (*["capacity_gb"] * 3, JOB),
    )


def lustre() -> Row:
    rule = {
        "name": "lustre",
        "source_ranges": ["$(psa.cidr_range)"],
        "allow": [{"protocol": "tcp"}],
        "ports": ["988"],
    }
    return Row(
        "18",
        "gke-managed-lustre",
        small_gke("us-central1-a", size_gib=36000, per_unit_storage_throughput=500, kms_key=""),
        [
            small_net(network_name="lustre-net"),
            module("network/private-service-access", "psa", ("network1",), prefix_length=22),
            module("network/firewall-rules", "open", ("network1",), ingress_rules=[rule]),
            module(
                "file-system/managed-lustre",
                "lustre",
                ("network1", "psa"),
                name="lustre",
                local_mount="/lustre",
                remote_mount="lustrefs",
                size_gib="$(vars.size_gib)",
                per_unit_storage_throughput="$(vars.per_unit_storage_throughput)",
                kms_key="$(vars.kms_key)",
            ),
            *accounts(),
            cluster(
                "network1",
                "pod_account",
                version_prefix="1.35.",
                enable_managed_lustre_csi=True,
                release_channel="REGULAR",
                maintenance_exclusions=FOREVER,
            ),
            persistent("lustre", "lustre"),
            pool(
                name="lustre-pool", zones=["$(vars.zone)"], machine_type="n2-standard-16", auto_upgrade=True
            ),
        ],
        (),
    )


def small(number: str, name: str, zones: dict[str, Any], **settings: Any) -> Row:
    """The smallest of all: a pool, and a job."""
    return Row(
        number,
        name,
        {key: value for key, value in {**small_gke("us-central1-a"), **zones}.items() if value is not None},
        [
            small_net(subnetwork_name="subnet"),
            *accounts(),
            cluster(
                "network1",
                "pod_account",
                gcp_public_cidrs_access_enabled="$(vars.gcp_public_cidrs_access_enabled)",
            ),
            pool(**settings),
            job(node_count=1),
        ],
        (JOB,),
    )


def storage() -> Row:
    def rapid() -> Module:
        return bucket(
            "zonal",
            force_destroy=True,
            storage_class="RAPID",
            placement_zones=["$(vars.zone)"],
            object_users=USERS,
        )

    USERS = {"nodes": "serviceAccount:$(cluster.node_service_account)"}  # noqa: N806
    cache = {"zones": ["$(vars.zone)"], "ttl": "86400s", "admission_policy": "admit-on-first-miss"}
    data = {"local_mount": "/data", "random_suffix": True, "force_destroy": True, "object_users": USERS}
    return Row(
        "25",
        "storage-gke",
        small_gke("us-central1-b"),
        [
            small_net(subnetwork_name="subnet"),
            *accounts(),
            cluster(
                "network1",
                "pod_account",
                enable_filestore_csi=True,
                enable_gcsfuse_csi=True,
            ),
            pool(
                name="debug",
                zones=["$(vars.zone)"],
                machine_type="n2d-standard-2",
                threads_per_core=2,
                static_node_count=2,
            ),
            module("file-system/cloud-storage-bucket", "data", **data, anywhere_cache=cache),
            rapid(),
            module("file-system/filestore", "shared", ("network1",), local_mount="/shared"),
            module("file-system/gke-persistent-volume", "shared-pv", ("cluster", "shared")),
            persistent("data", "data"),
            pool(
                "ssd",
                name="local-ssd",
                zones=["$(vars.zone)"],
                machine_type="n2d-standard-2",
                threads_per_core=2,
                static_node_count=1,
                local_ssd_count_ephemeral_storage=1,
            ),
            job(),
            job("ephemeral", ephemeral_volumes=[{"type": "memory", "mount_path": "/mem", "size_gb": 5}]),
        ],
        (JOB, JOB),
    )


def xpk() -> Row:
    manifests = [
        {"source": f"https://raw.githubusercontent.com/kubernetes-sigs/kjob/$(vars.kjob)/{each}.yaml"}
        for each in "abcde"
    ]
    made = module(
        "scheduler/gke-cluster",
        "cluster",
        ("network1",),
        system_node_pool_machine_type="e2-standard-4",
        system_node_pool_node_count={"total_min_nodes": 1, "total_max_nodes": 10},
        enable_private_endpoint=False,
        gcp_public_cidrs_access_enabled="$(vars.gcp_public_cidrs_access_enabled)",
        master_authorized_networks=[{"display_name": "here", "cidr_block": "$(vars.authorized_cidr)"}],
        version_prefix="1.33.",
        release_channel="REGULAR",
        maintenance_exclusions=FOREVER,
        enable_filestore_csi=True,
    )
    return Row(
        "26",
        "xpk-n2-filestore",
        small_gke(
            "us-central1-a", zones=["us-central1-a"], filestore_zone="us-central1-a", vms=2, kjob="f775609"
        ),
        [
            small_net(subnetwork_name="subnet"),
            made,
            pool(
                "pool",
                ("cluster",),
                static_node_count="$(vars.vms)",
                machine_type="n2-standard-32",
                threads_per_core=2,
                auto_upgrade=True,
                zones="$(vars.zones)",
            ),
            installed(
                kueue=queues(cpu_count=64) | {"version": "v0.17.1"},
                jobset=HERE | {"version": "0.10.1"},
                apply_manifests=[
                    {
                        "source": '$(ghpc_stage("./config-map.yaml.tftpl"))',
                        "template_vars": {"machine_type": "n2"},
                    },
                    {"source": '$(ghpc_stage("./storage-crd.yaml"))'},
                    *manifests,
                ],
            ),
            module(
                "file-system/filestore",
                "homefs",
                ("network1",),
                name="home",
                zone="$(vars.filestore_zone)",
                local_mount="/home",
            ),
        ],
        (QUEUES, *["manifest"] * 7),
    )
