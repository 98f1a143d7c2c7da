"""Machine settings of the nodes of a pool."""

from msgspec import UNSET

from clusterprint import catalog
from clusterprint.blueprint.gke.kubernetes import KubernetesBlueprint
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.derived import checkpoints, disk_pools, durations, kms_keys, node_pools
from clusterprint.plan.gke.pools import (
    AcceleratorPlan,
    BootDiskPlan,
    CapacityPlan,
    NodePlan,
    TaintPlan,
    TopologyManagerPlan,
    TpuPlan,
)
from clusterprint.resolve.copied_fields import carried
from clusterprint.resolve.gke.device_claims import DRIVER_LABEL
from clusterprint.resolve.gke.pods import COMPUTE_CLASS
from clusterprint.resolve.google import FLEX_START_LIMIT, RESERVATION_AFFINITY, machine_of

# By which pods look for nodes of queued requests; GKE puts the taint of this name there, and not the label.
QUEUED = "cloud.google.com/gke-queued"

# Buffers of TCP connections, fewest, usual and most bytes: for nodes with many cards, and the way to storage.
_SYSCTLS = {"net.ipv4.tcp_rmem": "4096 87380 16777216", "net.ipv4.tcp_wmem": "4096 16384 16777216"}

_DRIVERS = {"default": "DEFAULT", "latest": "LATEST", "none": "INSTALLATION_DISABLED"}
_BLOCK = "/reservationBlocks/"
_COS = "cos_containerd"


def resolve_node(blueprint: KubernetesBlueprint, pool: NodePool, *, for_mpi: bool) -> NodePlan:
    """Decide what each node of a pool is made from; `for_mpi` keeps the nodes for workers of MPI jobs."""
    machine = None if node_pools.tpu(pool) else machine_of(pool.machine_type)
    compute_class = node_pools.compute_class(blueprint, pool)
    ephemeral, raw = _local_ssds(pool, machine)
    bare_metal = node_pools.is_bare_metal(pool)
    return NodePlan(
        **carried(NodePlan, pool, "confidential", "boot_disk_kms_key"),
        **carried(NodePlan, pool.system, "sysctls"),
        image_type=pool.image_type.upper(),
        disk_type=_disk_type(pool, machine),
        disk_size_gb=pool.boot_disk.size_gb,
        boot_disk_pool=disk_pools.path(blueprint, pool.boot_disk.pool, node_pools.default_zone(blueprint)),
        accelerator=_accelerator(pool, machine),
        tpu=_tpu(pool),
        ephemeral_ssds=ephemeral,
        raw_ssds=raw,
        boot_disks=tuple(
            BootDiskPlan(image=each.image, container_images=each.container_images)
            for each in pool.secondary_boot_disks
        ),
        capacity=_capacity(blueprint, pool),
        labels={
            **pool.node_labels,
            **({COMPUTE_CLASS: compute_class} if compute_class else {}),
            **(machine.node_labels if machine else {}),
            **({DRIVER_LABEL: "true"} if node_pools.network_profile(pool) else {}),
            **_kept_checkpoints(blueprint, pool),
            **(
                {node_pools.SLICES_LABEL: pool.name}
                if node_pools.slices(pool) > 1 or node_pools.is_rolled(pool)
                else {}
            ),
            **({QUEUED: "true"} if pool.capacity.queued and pool.capacity.model == "flex_start" else {}),
        },
        sysctls={**(_SYSCTLS if _has_many_cards(pool) else {}), **pool.system.sysctls},
        topology_manager=_topology_manager(pool),
        huge_pages_2m=pool.system.huge_pages.size_2m or (machine.huge_pages_2m if machine else 0),
        huge_pages_1g=pool.system.huge_pages.size_1g,
        taints=_taints(pool, machine, compute_class, for_mpi=for_mpi),
        gvnic=pool.image_type == _COS,
        secure_boot=None if bare_metal else pool.secure_boot,
        integrity_monitoring=None if bare_metal else True,
        image_streaming=blueprint.cluster.image_streaming and pool.image_type == _COS,
        confidential="" if pool.confidential is UNSET else pool.confidential.upper(),
        boot_disk_kms_key=kms_keys.of(pool.boot_disk_kms_key, blueprint),
    )


def resolve_system_node(blueprint: KubernetesBlueprint, machine: catalog.Machine) -> NodePlan:
    """The nodes of the system pool: nothing special about them."""
    return NodePlan(
        machine_type=machine.name,
        image_type=_COS.upper(),
        disk_type=machine.boot_disk_types[0],
        disk_size_gb=blueprint.system_pool.disk_size_gb,
        gvnic=True,
        image_streaming=blueprint.cluster.image_streaming,
        boot_disk_kms_key=kms_keys.of_all(blueprint),
    )


def _kept_checkpoints(blueprint: KubernetesBlueprint, pool: NodePool) -> dict[str, str]:
    asked = checkpoints.asked(blueprint)
    return checkpoints.label(blueprint) if asked and checkpoints.keeps(asked, pool) else {}


def _topology_manager(pool: NodePool) -> TopologyManagerPlan | None:
    said = pool.system.topology_manager
    if said is UNSET:
        return None
    return TopologyManagerPlan(policy=said.policy.replace("_", "-"), scope=said.scope)


def _has_many_cards(pool: NodePool) -> bool:
    return node_pools.layout(pool).nics > 1 or bool(node_pools.network_profile(pool))


def _disk_type(pool: NodePool, machine: catalog.Machine | None) -> str:
    if pool.boot_disk.type is not UNSET:
        return pool.boot_disk.type
    if machine:
        return machine.boot_disk_types[0]
    tpu = node_pools.tpu(pool)
    return tpu[0].boot_disk_types[0] if tpu and tpu[0].boot_disk_types else ""


def _local_ssds(pool: NodePool, machine: catalog.Machine | None) -> tuple[int, int]:
    """How many local SSDs are ephemeral storage, and how many raw block devices."""
    asked = pool.local_ssd
    count = machine.local_ssd.count if machine else 0
    if asked is UNSET:
        return count, 0
    if asked.count is not UNSET and not count:
        count = asked.count
    return (count, 0) if asked.mode == "ephemeral" else (0, count)


def _accelerator(pool: NodePool, machine: catalog.Machine | None) -> AcceleratorPlan | None:
    attached, gpu = pool.guest_accelerator, pool.gpu
    if machine is None or not node_pools.has_gpus(pool):
        return None
    kind = attached.type if attached is not UNSET else machine.gpu.accelerator_type if machine.gpu else ""
    # A fraction of a GPU counts as one: the machine type says how much of it there is.
    count = attached.count if attached is not UNSET else max(1, int(machine.gpus))
    return AcceleratorPlan(
        type=kind,
        count=count,
        driver=_DRIVERS[gpu.driver],
        partition_size="" if gpu.partition_size is UNSET else gpu.partition_size,
        sharing_strategy="" if gpu.sharing is UNSET else gpu.sharing.strategy.upper(),
        max_clients=0 if gpu.sharing is UNSET else gpu.sharing.max_clients,
    )


def _tpu(pool: NodePool) -> TpuPlan | None:
    found = node_pools.tpu(pool)
    if found is None or pool.tpu is UNSET:
        return None
    kind, machine = found
    return TpuPlan(
        accelerator=kind.accelerator_label,
        topology=pool.tpu.topology,
        chips_per_node=machine.chips,
        hosts=max(1, node_pools.nodes_per_slice(pool)),
    )


def _capacity(blueprint: KubernetesBlueprint, pool: NodePool) -> CapacityPlan:
    capacity = pool.capacity
    flex_start = capacity.model == "flex_start"
    seconds = 0
    if capacity.max_run_duration is not UNSET:
        seconds = durations.seconds(capacity.max_run_duration)
    elif flex_start:
        seconds = durations.seconds(FLEX_START_LIMIT)
    return CapacityPlan(
        spot=capacity.model == "spot",
        flex_start=flex_start,
        queued=flex_start and capacity.queued,
        max_run_seconds=seconds,
        reservation_affinity=RESERVATION_AFFINITY[capacity.model],
        reservation=_reservation(blueprint.project, capacity.reservation) if capacity.reservation else "",
    )


def _reservation(project: str, name: str) -> str:
    """A reservation as node pools name it: parts of one are named by their whole path."""
    return f"projects/{project}/reservations/{name}" if _BLOCK in name and "projects/" not in name else name


def _taints(
    pool: NodePool, machine: catalog.Machine | None, compute_class: str, *, for_mpi: bool
) -> tuple[TaintPlan, ...]:
    """The user's, and those that keep pods away from nodes that they have no use for."""
    automatic = {
        "nvidia.com/gpu": "present" if node_pools.has_gpus(pool) else "",
        "google.com/tpu": "present" if node_pools.tpu(pool) else "",
        "kubernetes.io/arch": "arm64" if machine and machine.architecture == "arm64" else "",
        COMPUTE_CLASS: compute_class,
        # A worker has its node for itself: operators and the like would slow all workers down.
        node_pools.MPI_TAINT: "present" if for_mpi and not node_pools.is_accelerated(pool) else "",
    }
    return (
        *(
            TaintPlan(key=each.key, value=each.value, effect=each.effect.upper())
            for each in pool.taints
            if not automatic.get(each.key)
        ),
        *(TaintPlan(key=key, value=value, effect="NO_SCHEDULE") for key, value in automatic.items() if value),
    )
