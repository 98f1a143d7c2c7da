"""Machines."""

from typing import Any

from toolkit_examples import (
    FALCON,
    INTERFACES,
    Module,
    Row,
    home,
    module,
    more_net,
    rdma_net,
    rules,
    variables,
    wait,
)


def machines(name: str, use: tuple[str, ...], /, **settings: Any) -> Module:
    return module("compute/vm-instance", name, use, **settings)


def vm_net(name: str, address: str, **settings: Any) -> Module:
    subnet = {"subnet_name": f"{name}-sub", "subnet_region": "$(vars.region)", "subnet_ip": address}
    return module(
        "network/vpc",
        name,
        network_name=name,
        mtu=8896,
        subnetworks=[subnet],
        firewall_rules=rules(name, address),
        **settings,
    )


HOME = {"filestore_tier": "HIGH_SCALE_SSD", "size_gb": 10240, "reserved_ip_range": "192.168.32.0/24"}
GPU_VM: dict[str, Any] = {
    "name_prefix": "$(vars.hostname_prefix)",
    "disk_type": "hyperdisk-balanced",
    "automatic_restart": True,
    "on_host_maintenance": "TERMINATE",
    "network_interfaces": INTERFACES,
}
SSH = {"configure_ssh_host_patterns": ["$(vars.hostname_prefix)-*"]}
IMAGE = {"project": "ubuntu-os-accelerator-images", "family": "ubuntu-accelerator-2204-amd64-with-nvidia-570"}


def h4d_vm() -> Row:
    lssd = {"fs_type": "ext4", "mountpoint": "/mnt/lssd", "permissions": "1777"}
    return Row(
        "27",
        "h4d-vm",
        variables("us-central1-a", hostname_prefix="ody", reservation_name=""),
        [
            module("network/vpc", "net0", network_name="h4d-net"),
            more_net("rdma", "192.168.32.0/24", mtu=8896, enable_internal_traffic=False, **FALCON),
            home(),
            module(
                "scripts/startup-script",
                "setup",
                **SSH,
                set_ofi_cloud_rdma_tunables=True,
                local_ssd_filesystem=lssd,
            ),
            machines(
                "vms",
                ("setup", "homefs"),
                machine_type="h4d-highmem-192-lssd",
                instance_count=2,
                disk_type="hyperdisk-balanced",
                on_host_maintenance="TERMINATE",
                reservation_name="$(vars.reservation_name)",
                network_interfaces=INTERFACES,
            ),
            wait("vms", timeout=7200),
        ],
        (),
    )


def ultra_vm() -> Row:
    return Row(
        "28",
        "a3ultra-vm",
        variables("europe-west1-b", hostname_prefix="beowulf", instance_image=IMAGE),
        [
            vm_net("net0", "192.168.0.0/19"),
            vm_net("more", "192.168.64.0/18"),
            rdma_net("rdma", firewall_rules=rules("rdma", "192.168.128.0/18")),
            home(**HOME),
            module(
                "scripts/startup-script",
                "setup",
                **SSH,
                runners=[{"type": "shell", "destination": "cuda.sh", "content": "true"}],
            ),
            machines(
                "vms",
                ("setup", "homefs"),
                machine_type="a3-ultragpu-8g",
                instance_count=2,
                reservation_name="my-block",
                provisioning_model="RESERVATION_BOUND",
                **GPU_VM,
            ),
            wait("vms", timeout=7200),
        ],
        ("runner cuda.sh",),
    )


def a4_vm() -> Row:
    runners = [
        {"type": "data", "destination": "/etc/security/limits.d/99.conf", "content": "* - memlock unlimited"},
        {"type": "ansible-local", "destination": "drivers.yml", "content": "- hosts: all"},
    ]
    docker = {"enabled": True, "world_writable": True, "daemon_config": "{}"}
    return Row(
        "29",
        "a4high-vm",
        variables("us-central1-b", hostname_prefix="a4h", model="RESERVATION_BOUND", vms=2),
        [
            vm_net("net0", "192.168.0.0/19"),
            vm_net("more", "192.168.64.0/18"),
            rdma_net("rdma"),
            home(**HOME),
            module(
                "scripts/startup-script",
                "setup",
                **SSH,
                local_ssd_filesystem={"mountpoint": "/mnt/localssd", "permissions": "1777"},
                docker=docker,
                runners=runners,
            ),
            machines(
                "vms",
                ("setup", "homefs"),
                machine_type="a4-highgpu-8g",
                instance_count="$(vars.vms)",
                reservation_name="my-block",
                provisioning_model="$(vars.model)",
                **GPU_VM,
            ),
            wait("vms", timeout=7200),
        ],
        ("world_writable", "daemon_config", "runner /etc/security", "runner drivers.yml"),
    )


def a4x_vm() -> Row:
    packer = module(
        "packer/custom-image", "image", ("net0", "build"), machine_type="t2a-standard-16", disk_size=100
    )
    image = {"project": "$(vars.project_id)", "family": "mine-arm64"}
    return Row(
        "30",
        "a4x-vm",
        variables(
            "us-central1-b",
            hostname_prefix="a4x",
            instance_image=image,
            reservation_name="my-block",
            instance_count=18,
        ),
        [
            vm_net("net0", "192.168.0.0/19"),
            vm_net("more", "192.168.64.0/19"),
            module(
                "scripts/startup-script",
                "build",
                install_ansible=True,
                **SSH,
                runners=[{"type": "shell", "destination": "ofed.sh", "content": "true"}],
            ),
            packer | {"kind": "packer"},
            rdma_net("rdma", 4, mtu=8896),
            home(**HOME),
            machines(
                "vms",
                ("homefs",),
                machine_type="a4x-highgpu-4g",
                instance_count="$(vars.instance_count)",
                reservation_name="$(vars.reservation_name)",
                placement_policy={"collocation": "COLLOCATED", "gpu_topology": "1x72"},
                disk_size_gb=100,
                instance_image="$(vars.instance_image)",
                **GPU_VM,
            ),
            wait("vms", timeout=7200),
        ],
        ("packer/custom-image", "it sets up an image"),
    )


def lustre_vm() -> Row:
    image = {"project": "ubuntu-os-cloud", "name": "ubuntu-2204-jammy-v20250128"}
    return Row(
        "31",
        "pfs-managed-lustre-vm",
        variables("us-central1-a"),
        [
            module("network/vpc", "network"),
            module("network/private-service-access", "psa", ("network",)),
            module(
                "file-system/managed-lustre",
                "lustre",
                ("network", "psa"),
                name="mine",
                local_mount="/lustre",
                size_gib=36000,
            ),
            machines(
                "vms",
                ("network", "lustre"),
                add_deployment_name_before_prefix=True,
                name_prefix="lustre",
                instance_count=1,
                machine_type="n2-standard-2",
                instance_image=image,
            ),
        ],
    )


def netapp() -> Row:
    return Row(
        "32",
        "netapp-volumes",
        {"region": "us-central1", "zone": "$(vars.region)-a"},
        [
            module("network/vpc", "network"),
            module(
                "network/private-service-access",
                "psa",
                ("network",),
                prefix_length=24,
                service_name="netapp.servicenetworking.goog",
                deletion_policy="ABANDON",
            ),
            module(
                "file-system/netapp-storage-pool",
                "pool",
                ("network", "psa"),
                capacity_gib=2048,
                service_level="EXTREME",
                region="$(vars.region)",
            ),
            module(
                "file-system/netapp-volume",
                "homefs",
                ("pool",),
                local_mount="/home",
                protocols=["NFSV3"],
                large_capacity=False,
                unix_permissions="0777",
            ),
            machines("vms", ("network", "homefs"), instance_count=1, machine_type="n2-standard-2"),
        ],
    )


def buckets_vm() -> Row:
    options = "defaults,_netdev,implicit_dirs,allow_other"
    return Row(
        "33",
        "client-google-cloud-storage",
        variables("us-central1-a", existing_bucket_name="my-own-bucket"),
        [
            module("network/vpc", "network1"),
            module(
                "file-system/cloud-storage-bucket",
                "new",
                name_prefix="new",
                random_suffix=True,
                local_mount="/new_bucket",
                mount_options=options,
            ),
            module(
                "file-system/pre-existing-network-storage",
                "old",
                remote_mount="$(vars.existing_bucket_name)",
                fs_type="gcsfuse",
                local_mount="/existing_bucket",
                mount_options=options,
            ),
            machines(
                "vms",
                ("network1", "new", "old"),
                name_prefix="work",
                machine_type="n2-standard-2",
                allow_automatic_updates=False,
            ),
            wait("vms", instance_names=None, instance_name="$(vms.name[0])"),
        ],
    )


PLACED = {"vm_count": None, "collocation": "COLLOCATED", "availability_domain_count": None}
SHELL = [{"type": "shell", "destination": "/opt/deps.sh", "content": "yum -y install nmap"}]


def fluent() -> Row:
    def made(name: str, script: str, **settings: Any) -> Module:
        use = ("network1", "homefs", "sharefs", script)
        return machines(
            name,
            use,
            threads_per_core=1,
            disable_public_ips=False,
            bandwidth_tier="gvnic_enabled",
            name_prefix=name,
            **settings,
        )

    files = {"size_gb": 1024, "filestore_tier": "BASIC_HDD"}
    return Row(
        "34",
        "tutorial-fluent",
        variables("us-central1-c"),
        [
            module("network/pre-existing-vpc", "network1"),
            module("scripts/startup-script", "setup", runners=SHELL),
            module("scripts/startup-script", "desktop", runners=SHELL),
            module("file-system/filestore", "homefs", ("network1",), local_mount="/home", **files),
            module("file-system/filestore", "sharefs", ("network1",), local_mount="/shared", **files),
            made(
                "compute",
                "setup",
                machine_type="c2-standard-60",
                instance_count=4,
                placement_policy={**PLACED, "vm_count": 4},
                allow_automatic_updates=False,
            ),
            made("login", "desktop", machine_type="c2-standard-8", instance_count=1),
            wait("compute", instance_names=None, instance_name="$(compute.name[0])"),
        ],
        ("runner /opt/deps.sh of setup", "runner /opt/deps.sh of desktop"),
    )


def starccm() -> Row:
    return Row(
        "35",
        "tutorial-starccm",
        variables("us-east4-c"),
        [
            module("scripts/startup-script", "setup", configure_ssh_host_patterns=["star*"], runners=SHELL),
            module("network/vpc", "network1"),
            module(
                "file-system/filestore",
                "homefs",
                ("network1",),
                local_mount="/home",
                size_gb=1024,
                filestore_tier="BASIC_HDD",
            ),
            machines(
                "compute",
                ("network1", "homefs", "setup"),
                threads_per_core=1,
                disable_public_ips=True,
                bandwidth_tier="gvnic_enabled",
                machine_type="c2-standard-60",
                instance_count=4,
                placement_policy=PLACED,
                allow_automatic_updates=False,
            ),
            wait("compute", instance_names=None, instance_name="$(compute.name[0])"),
        ],
        ("runner /opt/deps.sh",),
    )
