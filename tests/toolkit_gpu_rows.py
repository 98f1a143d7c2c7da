"""Clusters with GPUs and TPUs."""

from typing import Any

from toolkit_examples import (
    FOREVER,
    HERE,
    INTERFACES,
    JOB,
    LOCAL,
    NAMES,
    NETWORKS,
    ONE_MORE,
    QUEUES,
    RESERVED,
    SECOND,
    STACKED,
    Row,
    accounts,
    cluster,
    gib,
    gke,
    gpu_nets,
    gpu_pool,
    host_net,
    installed,
    job,
    large_cluster,
    module,
    more_net,
    pool,
    profiled_buckets,
    queues,
    rdma_net,
    reserved,
    small_gke,
    small_net,
)

ULTRA = [host_net("net0", ips_per_nat=6), more_net("more", ips_per_nat=6), rdma_net("rdma")]
LUSTRE = {**STACKED, "enable_managed_lustre_csi": True}
INJECTOR = '$(ghpc_stage("./nri-device-injector.yaml"))'
SLICING = {
    "enable_dynamic_slicing_for_tpus": "$(vars.sliced)",
    "accelerator_topology_mode": "$(pool.accelerator_topology_mode)",
    "machine_type": "$(pool.machine_type)",
}
NO_SCRIPTS: dict[str, Any] = {"install_gpu_direct_manifests": False, "run_workload_script": False}
ROCE = ("a3-ultragpu-8g", "nvidia-h200-141gb")


def a3_high() -> Row:
    return Row(
        "02",
        "gke-a3-highgpu",
        small_gke("us-central1-c", network_name=None, injector_path=INJECTOR, **RESERVED),
        [
            small_net(
                network_name="$(vars.network_name)",
                ips_per_nat=6,
                mtu=8244,
                subnetworks=[
                    {"subnet_name": "nodes", "subnet_region": "$(vars.region)", "subnet_ip": "10.10.0.0/20"}
                ],
            ),
            *accounts("container.admin"),
            gpu_nets(4, "192.169.0.0/16"),
            cluster(
                "network1",
                "gpunets",
                "pod_account",
                gcp_public_cidrs_access_enabled="$(vars.gcp_public_cidrs_access_enabled)",
                enable_gcsfuse_csi=True,
                k8s_network_names=NAMES,
                version_prefix="1.33.",
                release_channel="REGULAR",
                maintenance_exclusions=FOREVER,
            ),
            pool(
                use=("cluster", "gpunets", "node_account"),
                auto_upgrade=True,
                **NO_SCRIPTS,
                machine_type="a3-highgpu-8g",
                static_node_count="$(vars.static_node_count)",
                zones=["$(vars.zone)"],
                guest_accelerator=[{"type": "nvidia-h100-80gb", "count": 8}],
                reservation_affinity=reserved(),
            ),
            installed(
                apply_manifests=[
                    {"source": '$(ghpc_stage("./nccl-config.yaml"))'},
                    {"source": "$(vars.injector_path)"},
                    {
                        "source": '$(ghpc_stage("./nccl-tcpx-installer.yaml.tftpl"))',
                        "template_vars": {"version": "v3.1.9"},
                    },
                ],
                kueue=queues(num_gpus="$(pool.static_gpu_count)") | {"wait": True, "version": "0.17.1"},
                jobset=HERE,
            ),
        ],
        (NETWORKS, QUEUES),
    )


def a3_mega() -> Row:
    return Row(
        "03",
        "gke-a3-megagpu",
        small_gke("us-central1-c", **RESERVED),
        [
            small_net(subnetwork_name="$(vars.deployment_name)-subnet", mtu=8244),
            *accounts(),
            gpu_nets(8, "192.169.0.0/16"),
            cluster(
                "network1",
                "gpunets",
                "pod_account",
                gcp_public_cidrs_access_enabled="$(vars.gcp_public_cidrs_access_enabled)",
                enable_gcsfuse_csi=True,
                enable_parallelstore_csi=False,
                k8s_network_names=NAMES,
                version_prefix="1.32.",
            ),
            pool(
                use=("cluster", "gpunets", "node_account"),
                auto_upgrade=True,
                **NO_SCRIPTS,
                machine_type="a3-megagpu-8g",
                static_node_count="$(vars.static_node_count)",
                zones=["$(vars.zone)"],
                guest_accelerator=[{"type": "nvidia-h100-mega-80gb", "count": 8}],
                reservation_affinity=reserved(),
            ),
            installed(
                apply_manifests=[{"source": INJECTOR}],
                kueue=queues(num_gpus="$(pool.static_gpu_count)"),
                jobset=HERE,
            ),
        ],
        (NETWORKS, QUEUES),
    )


def gateway() -> Row:
    net = small_net(
        ips_per_nat=6,
        mtu=8244,
        subnetworks=[
            {"subnet_name": "nodes", "subnet_region": "$(vars.region)", "subnet_ip": "10.1.0.0/20"},
            {"subnet_name": "proxies", "subnet_ip": "10.1.16.0/24", "purpose": "REGIONAL_MANAGED_PROXY"},
        ],
    )
    return Row(
        "01",
        "gke-a3-highgpu-inference-gateway",
        small_gke("us-central1-c", gpu_static_node_count=2),
        [
            net,
            *accounts(),
            gpu_nets(4, "192.168.0.0/16"),
            cluster(
                "network1", "gpunets", "pod_account", k8s_network_names=NAMES, enable_inference_gateway=True
            ),
            pool(
                use=("cluster", "gpunets", "node_account"),
                machine_type="a3-highgpu-8g",
                static_node_count="$(vars.gpu_static_node_count)",
                zones=["$(vars.zone)"],
            ),
            pool(
                "cpu_pool",
                name="default",
                machine_type="n4-standard-2",
                autoscaling_total_min_nodes=1,
                autoscaling_total_max_nodes=3,
                zones=["$(vars.zone)"],
            ),
        ],
        (NETWORKS,),
    )


def roce(number: str, name: str, machine: tuple[str, str], **settings: Any) -> Row:
    """A3 Ultra and A4."""
    return Row(
        number,
        name,
        gke(
            "us-central1-b",
            **RESERVED,
            pool_disk=100,
            **({"auto_monitoring_scope": "NONE"} if settings else {}),
        ),
        [
            *ULTRA,
            *accounts("container.admin"),
            *profiled_buckets(),
            large_cluster("net0", **LUSTRE, **settings),
            gpu_pool(
                *machine,
                disk_size_gb="$(vars.pool_disk)",
                static_node_count="$(vars.static_node_count)",
                reservation_affinity=reserved(),
                additional_networks=INTERFACES,
            ),
            installed(kueue=queues(num_gpus="$(pool.static_gpu_count)"), jobset=HERE, gib=gib()),
            job(**LOCAL[0]),
            job("fio", security_context=[{"key": "runAsUser", "value": 0}]),
        ],
        (NETWORKS, QUEUES, JOB, JOB),
    )


def a4x() -> Row:
    policy = {"accelerator_topology": "1x72", "type": "HIGH_THROUGHPUT"}
    return Row(
        "06",
        "gke-a4x",
        gke("us-central1-b", **{**RESERVED, "static_node_count": 18}, num_node_pools=1),
        [
            host_net("net0", ips_per_nat=6),
            *accounts(),
            *profiled_buckets(),
            large_cluster(
                "net0",
                **LUSTRE,
                additional_networks=None,
                enable_dataplane_v2=True,
                enable_k8s_beta_apis=["resource.k8s.io/v1beta1/deviceclasses"],
                k8s_service_account_name="pods",
            ),
            module(
                "compute/resource-policy",
                "policy",
                name="a4x",
                region="$(vars.region)",
                workload_policy=policy,
            ),
            pool(
                use=("cluster", "node_account", "policy"),
                machine_type="a4x-highgpu-4g",
                auto_upgrade=True,
                zones=["$(vars.zone)"],
                disk_size_gb=100,
                disk_type="hyperdisk-balanced",
                static_node_count="$(vars.static_node_count)",
                guest_accelerator=[{"type": "nvidia-gb200", "count": 4}],
                reservation_affinity=reserved(),
                enable_dranet=True,
                num_node_pools="$(vars.num_node_pools)",
            ),
            installed(
                target_architecture="arm64",
                kueue=queues(num_gpus="$(pool.static_gpu_count)"),
                jobset=HERE,
                nvidia_dra_driver=HERE,
                gib=gib(4, image="nccl-plugin-gib-arm64", node_affinity={"required": "arm64"}),
                apply_manifests=[{"source": '$(ghpc_stage("./nvidia-dra-driver.yaml"))'}],
            ),
            job(tolerations=[{"key": "kubernetes.io/arch"}]),
            job("fio"),
        ],
        (QUEUES, JOB, JOB),
    )


def a4x_max() -> Row:
    """As A4X, on bare metal, whose label asks for GKE's driver of networks."""
    row = a4x()
    kept = [each for each in row.modules if each["id"] not in ("cluster", "pool", "install")]
    metal = pool(
        use=("cluster", "node_account", "policy"),
        machine_type="a4x-maxgpu-4g-metal",
        static_node_count=18,
        zones=["$(vars.zone)"],
        reservation_affinity=reserved(),
        guest_accelerator=[{"type": "nvidia-gb300", "count": 4}],
        kubernetes_labels={
            "cloud.google.com/gke-networking-dra-driver": "true",
            "cloud.google.com/gke-dpv2-unified-cni": "cni-migration",
        },
        linux_node_config={"hugepages_config": {"hugepage_size_2m": 4096}},
        additional_networks=INTERFACES,
    )
    installs = installed(
        target_architecture="arm64",
        kueue=queues(num_gpus="$(pool.static_gpu_count)"),
        asapd_lite={"install": True, "config_path": '$(ghpc_stage("./asapd-lite.yaml"))'},
        jobset=HERE,
        nvidia_dra_driver=HERE | {"version": "v25.8.0", "accelerator_type": "nvidia-gb300"},
        apply_manifests=[{"source": '$(ghpc_stage("./nvidia-dra-driver.yaml"))'}],
    )
    modules = [
        rdma_net("rdma", subnetworks_template=None),
        more_net("more", nic_type="IDPF"),
        *kept,
        large_cluster("net0", **LUSTRE, enable_dataplane_v2=True, enable_shielded_nodes=False),
        metal,
        installs,
    ]
    return Row("07", "gke-a4x-max-bm", row.variables, modules, row.losses)


def g4() -> Row:
    driver = {"gpu_driver_version": "LATEST"}
    card = {
        "type": "nvidia-rtx-pro-6000",
        "count": "$(vars.num_gpus)",
        "gpu_driver_installation_config": driver,
    }
    return Row(
        "08",
        "gke-g4",
        gke("us-central1-b", machine_type="g4-standard-96", num_gpus=2, static_node_count=2),
        [
            host_net("net0"),
            more_net("more"),
            *accounts(),
            large_cluster("net0", version_prefix="1.35.2-gke.1485000"),
            pool(
                machine_type="$(vars.machine_type)",
                auto_upgrade=True,
                zones=["$(vars.zone)"],
                static_node_count="$(vars.static_node_count)",
                enable_numa_aware_scheduling=True,
                guest_accelerator=[card],
                additional_networks=ONE_MORE,
            ),
            installed(kueue=HERE | {"wait": True}, jobset=HERE),
            job(**LOCAL[0]),
        ],
        (JOB,),
    )


def dws_ultra(number: str, *, queued: bool) -> Row:
    settings: dict[str, Any] = {"enable_flex_start": True, "auto_repair": False, "disk_size_gb": 100}
    installs: dict[str, Any] = {
        "jobset": HERE,
        "apply_manifests": [{"source": '$(ghpc_stage("./nccl-installer.yaml"))'}],
    }
    lost: tuple[str, ...] = (NETWORKS,)
    if queued:
        settings |= {
            "enable_queued_provisioning": True,
            "autoscaling_total_min_nodes": 0,
            "auto_upgrade": False,
        }
        installs["kueue"] = queues(num_gpus=512)
        lost = (NETWORKS, QUEUES)
    exclusions = {} if queued else {"maintenance_exclusions": FOREVER}
    made = large_cluster("net0", **STACKED, **exclusions)
    if queued:
        for key in ("maintenance_exclusions", "release_channel"):
            made["settings"].pop(key)
    return Row(
        number,
        f"gke-a3-ultragpu (flex-start{', queued' if queued else ''})",
        gke("us-central1-b"),
        [
            *ULTRA,
            *accounts(),
            made,
            gpu_pool(*ROCE, additional_networks=INTERFACES, **settings),
            installed(**installs),
        ],
        lost,
    )


def tpu(number: str, name: str, machine: str, topology: str, *, lost: tuple[str, ...], **more: Any) -> Row:
    """TPU slices; 7x has its topology from a policy, v6e in its placement."""
    modern = machine.startswith("tpu7x")
    held = {"reservation": "my-block"} if "reservation_affinity" in more else {}
    second, buckets = SECOND in lost, more.pop("buckets", False)
    diagnosed, pathways = more.pop("diagnosed", False), more.pop("pathways", False)
    settings: dict[str, Any] = {
        "num_slices": "$(vars.num_slices)",
        "name": "slices",
        "disk_type": "hyperdisk-balanced",
        "machine_type": machine,
        "auto_upgrade": True,
        "zones": ["$(vars.zone)"],
        **more,
    }
    settings |= (
        {} if modern else {"placement_policy": {"type": "COMPACT", "tpu_topology": "$(vars.tpu_topology)"}}
    )
    settings |= {"additional_networks": INTERFACES} if second else {}
    policy = {"accelerator_topology": "$(vars.tpu_topology)", "type": "HIGH_THROUGHPUT"}
    cert = {"cert_manager": HERE} if diagnosed else {}
    return Row(
        number,
        name,
        gke(
            "us-central1-c" if modern else "us-east5-b",
            num_slices=2,
            tpu_topology=topology,
            **({"sliced": False} if modern else {}),
            **held,
        ),
        [
            host_net("net0"),
            *([more_net("more")] if second else []),
            *accounts("container.admin"),
            *(profiled_buckets() if buckets else []),
            large_cluster(
                "net0",
                **STACKED,
                **({"enable_pathways_for_tpus": True} if pathways else {}),
                **({"enable_ml_diagnostics": True} if diagnosed else {}),
                **({"enable_slice_controller": "$(vars.sliced)"} if modern else {}),
            ),
            *(
                [module("compute/resource-policy", "policy", name="slices", workload_policy=policy)]
                if modern
                else []
            ),
            pool(use=("cluster", "node_account", *(["policy"] if modern else [])), **settings),
            installed(kueue=queues(tpu_quota=1) | (SLICING if modern and held else {}), jobset=HERE, **cert),
            *([job()] if JOB in lost else []),
        ],
        # The second network is one that GKE makes.
        (QUEUES, *(each for each in lost if each != SECOND)),
    )
