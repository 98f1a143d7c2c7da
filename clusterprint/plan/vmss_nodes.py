"""Settings of the machines of `kind: vmss`.

The scripts in `clusterprint/nodes/vmss/` read these facts from files on the machine. None of them is a
secret: custom data can be read by everybody on the machine and by every reader of the state.
"""

from typing import Literal

from clusterprint.plan.part import PlanPart
from clusterprint.plan.slurm import SlurmPlan
from clusterprint.plan.updates import UpdatesPlan

#: The tag of the head's virtual machine under which the head publishes its public key. The head writes it,
#: so Terraform has to ignore changes of `tags["clusterprint-head-key"]` on that machine.
HEAD_KEY_TAG = "clusterprint-head-key"

#: The tag of the scale set that says how long after its creation the cluster stops: `12h`, `7d`. It is a
#: tag, not custom data, so that giving a cluster more time replaces nothing.
TIME_TO_LIVE_TAG = "clusterprint-time-to-live"

#: What the application health extension (`ApplicationHealthLinux` 1.0, protocol `http`) asks a node for, on
#: the node itself only: 200 unless the last finished health check failed, then 503.
HEALTH_PATH = "/health"

GpuVendor = Literal["nvidia", "amd", "none"]
Orchestration = Literal["uniform", "flexible"]
ShareKind = Literal["files_smb", "files_nfs", "blob_nfs"]
MountKind = Literal[ShareKind, "lustre"]
SecurityType = Literal["standard", "trusted_launch"]


class SharePlan(PlanPart, frozen=True, kw_only=True):
    """Storage that every machine mounts at each boot.

    `share` is the name of the file share, of the blob container, or of what a Lustre server calls its file
    system. `server` is the storage account, or the address of a Lustre server; left empty, that is asked for.
    `resource_id` is the id of the storage account or of the file system: `files_smb` asks it for the key, and
    `lustre` for the address, with the machine's own identity, at each mount. What is `created` with the
    cluster is filled by the head, so it is never `read_only` there, and its root is made to belong to the
    cluster's user.
    """

    kind: MountKind
    server: str
    resource_id: str
    share: str
    mount: str
    read_only: bool
    created: bool


class NcclPlan(PlanPart, frozen=True, kw_only=True):
    """How `run-nccl-test` runs the all-reduce benchmark on nodes of one size.

    `environment` goes to every process. `topology_file` is named to NCCL where the image has it. The test
    fails below so many GB/s of bus bandwidth, on a single node or between nodes; 0 where nothing is known to
    compare with.
    """

    environment: dict[str, str]
    topology_file: str
    single_node_gb_per_s: float
    multi_node_gb_per_s: float


class NodeSettings(PlanPart, frozen=True, kw_only=True):
    """The facts of one cluster that scripts on its machines need. Ids are full Azure resource ids.

    `head_identity` and `node_identity` are user-assigned identities, of the head and of the nodes; what
    each must be allowed to do is written in docs/nodes-vmss.md. `cluster_range` holds the addresses of all
    machines of the cluster: nodes accept the head's key from there only. The head's address alone would not
    do, because the first node starts MPI on the others with that key. `head_is_node` is true when the head
    has GPUs of its own and takes part. `health_checks` runs them once at provisioning; `dcgm_level` is 1 to
    4. `health_endpoint` is for automatic repair: nodes answer at `HEALTH_PATH`. A node of `security_type`
    standard that started with secure boot says so. With `ssh_between_nodes` the head introduces the nodes to
    each other. `startup_script` runs once on
    every node, `head_startup_script` once on the head; `cloud_init` and `head_cloud_init` are files
    of the user's that are merged with ours. All four may be empty. `updates` says what machines update by
    themselves; None leaves that to their image. With `slurm` the head is its controller.
    """

    cluster: str
    admin_user: str
    scale_set_id: str
    orchestration: Orchestration
    head_id: str
    head_identity: str
    head_is_node: bool
    node_identity: str
    cluster_range: str
    gpu_vendor: GpuVendor
    gpus_per_node: int
    infiniband: bool
    nccl: NcclPlan
    health_checks: bool
    dcgm_level: int
    health_endpoint: bool
    security_type: SecurityType
    ssh_between_nodes: bool
    shares: tuple[SharePlan, ...]
    startup_script: str
    head_startup_script: str
    cloud_init: str
    head_cloud_init: str
    updates: UpdatesPlan | None = None
    slurm: SlurmPlan | None = None
