"""The networks between GPUs, as pods see them: objects to ask for, plug-ins, and what a pod needs."""

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.workloads import Nccl
from clusterprint.plan.gke.cluster import GkeClusterPlan
from clusterprint.plan.gke.pools import PoolPlan
from clusterprint.plan.kubernetes import (
    DeviceInjectorPlan,
    FabricKind,
    FabricPlan,
    NetworkObjectPlan,
    PluginPlan,
)

_KINDS: dict[str, FabricKind] = {"TCPX": "tcpx", "TCPXO": "tcpxo", "RDMA-RoCE": "roce"}

_LIBRARIES = {"LD_LIBRARY_PATH": "/usr/local/nvidia/lib64"}

# What programs need to know; TCPXO and RoCE bring a script for the rest.
_ENVIRONMENTS: dict[FabricKind, dict[str, str]] = {
    "tcpx": {
        **_LIBRARIES,
        "NCCL_GPUDIRECTTCPX_SOCKET_IFNAME": "eth1,eth2,eth3,eth4",
        "NCCL_GPUDIRECTTCPX_CTRL_DEV": "eth0",
        "NCCL_GPUDIRECTTCPX_UNIX_CLIENT_PREFIX": "/run/tcpx",
        "NCCL_GPUDIRECTTCPX_FORCE_ACK": "0",
        "NCCL_GPUDIRECTTCPX_TX_COMPLETION_NANOSLEEP": "1000",
        "NCCL_GPUDIRECTTCPX_PROGRAM_FLOW_STEERING_WAIT_MICROS": "1000000",
        "NCCL_SOCKET_IFNAME": "eth0",
        "NCCL_CROSS_NIC": "0",
        "NCCL_ALGO": "Ring",
        "NCCL_PROTO": "Simple",
        "NCCL_NET_GDR_LEVEL": "PIX",
        "NCCL_P2P_PXN_LEVEL": "0",
        "NCCL_MIN_NCHANNELS": "8",
        "NCCL_MAX_NCHANNELS": "8",
        "NCCL_NSOCKS_PERTHREAD": "4",
        "NCCL_SOCKET_NTHREADS": "1",
        "NCCL_DYNAMIC_CHUNK_SIZE": "524288",
        "NCCL_P2P_NET_CHUNKSIZE": "524288",
        "NCCL_P2P_PCI_CHUNKSIZE": "524288",
        "NCCL_P2P_NVL_CHUNKSIZE": "1048576",
    },
    "tcpxo": {**_LIBRARIES, "NCCL_FASTRAK_LLCM_DEVICE_DIRECTORY": "/dev/aperture_devices"},
    "roce": _LIBRARIES,
}

# These talk to a daemon beside them, which needs GPU devices handed to it.
_WITH_DAEMON: tuple[FabricKind, ...] = ("tcpx", "tcpxo")


def resolve_networks(cluster: GkeClusterPlan) -> tuple[NetworkObjectPlan, ...]:
    """Each network that a pool is connected to, once."""
    found = {
        interface.name: NetworkObjectPlan(
            name=interface.name,
            network=interface.network_name,
            subnet=interface.subnet_name,
            device_mode=interface.device_mode,
        )
        for pool in cluster.pools
        for interface in pool.interfaces
    }
    return tuple(found.values())


def resolve_fabric(pool: PoolPlan, nccl: Nccl) -> FabricPlan | None:
    """What pods on a pool need to use its networks; None for a pool without."""
    kind = _kind(pool)
    if kind is None:
        return None
    daemon = ""
    if kind in _WITH_DAEMON:
        pinned = catalog.component(f"nccl-{kind}-daemon").image
        daemon = pinned if nccl.daemon_image is UNSET else nccl.daemon_image
    return FabricPlan(
        kind=kind,
        networks=tuple(each.name for each in pool.interfaces),
        daemon_image=daemon,
        env=_ENVIRONMENTS[kind],
    )


def resolve_plugins(cluster: GkeClusterPlan, nccl: Nccl) -> tuple[PluginPlan, ...]:
    """One plug-in for each GPU type that has networks of its own."""
    if not nccl.install:
        return ()
    found = {
        accelerator.type: PluginPlan(
            key=accelerator.type.removeprefix("nvidia-"),
            kind=kind,
            accelerator=accelerator.type,
            image=_plugin_image(nccl, kind, pool.architecture),
            helper_image=catalog.component("ubuntu").image if kind == "tcpxo" else "",
            pause_image=catalog.component("pause").image,
        )
        for pool in cluster.pools
        if (kind := _kind(pool)) and (accelerator := pool.node.accelerator)
    }
    return tuple(found.values())


def resolve_device_injectors(plugins: tuple[PluginPlan, ...], nccl: Nccl) -> tuple[DeviceInjectorPlan, ...]:
    """Only daemons beside the jobs need devices handed to them."""
    given = nccl.device_injector_image
    image = catalog.component("device-injector").image if given is UNSET else given
    return tuple(
        DeviceInjectorPlan(key=each.key, accelerator=each.accelerator, image=image)
        for each in plugins
        if each.kind in _WITH_DAEMON
    )


def _plugin_image(nccl: Nccl, kind: FabricKind, architecture: str) -> str:
    if nccl.plugin_image is not UNSET:
        return nccl.plugin_image
    return catalog.component(f"nccl-{kind}{'-arm64' if architecture == 'arm64' else ''}").image


def _kind(pool: PoolPlan) -> FabricKind | None:
    return _KINDS.get(pool.gpudirect) if pool.interfaces else None
