"""Settings of the machines of `kind: vm`.

The scripts in `clusterprint/nodes/vm/` read these facts from files on the machine. None of them is a secret:
metadata can be read by everybody on the machine and by every reader of the state.
"""

from typing import Literal

from clusterprint.plan.part import PlanPart
from clusterprint.plan.slurm import SlurmPlan
from clusterprint.plan.updates import UpdatesPlan
from clusterprint.plan.vm_end import NoticePlan

Gpudirect = Literal["", "roce", "tcpx", "tcpxo"]
System = Literal["linux", "cos"]
MountKind = Literal["nfs3", "nfs4", "lustre", "parallelstore", "disk"]
MountProfile = Literal["", "training", "checkpoints", "serving"]


class BucketMount(PlanPart, frozen=True, kw_only=True):
    """A bucket that every node mounts at each boot; an empty profile leaves gcsfuse to its own defaults.

    `bucket` is its name, or an `@` with the name of a volume: then metadata say what its bucket is called.
    `options` of gcsfuse are as on its command line, without the hyphens in front.
    """

    bucket: str
    mount: str
    read_only: bool
    profile: MountProfile
    options: tuple[str, ...] = ()


class VolumeMount(PlanPart, frozen=True, kw_only=True):
    """A file system, or a disk, that every node mounts.

    Where a file system is, metadata says by the name of the volume; a disk is a device of that name.

    With `fresh` it was made for this cluster, and everybody may write to its top folder.
    """

    name: str
    kind: MountKind
    mount: str
    read_only: bool
    fresh: bool


class NodeFile(PlanPart, frozen=True, kw_only=True):
    """A file that every node gets from a bucket.

    `path` is where it lands, from the first slash; `object` is its full name in the bucket; `md5` is the
    checksum of its content, in base64, as Cloud Storage says it.
    """

    path: str
    object: str
    md5: str
    executable: bool


class RunFacts(PlanPart, frozen=True, kw_only=True):
    """A program that runs once over the first `nodes` nodes of a group.

    `run` is the name of this very run: something else is another run. `results` is the folder for its log
    and status in `bucket`, without a slash at its end. `folder` is where it is started, empty for the user's
    home; `time_limit` is in seconds, 0 for none. `files` are those that have to be on each node first, by
    path, with their MD5 in hexadecimal digits. With `minimum` the output is that of all-reduce, and its bus
    bandwidth, in GB/s, is judged; 0 only measures, and None is for other programs.
    """

    run: str
    group: str
    nodes: int
    processes_per_node: int
    bucket: str
    results: str
    folder: str
    time_limit: int
    options: tuple[str, ...]
    env: dict[str, str]
    command: tuple[str, ...]
    files: dict[str, str]
    minimum: int | None


class HealthPlan(PlanPart, frozen=True, kw_only=True):
    """The devices of a healthy node: network interfaces, primary and gVNIC, and RDMA interfaces."""

    interfaces: int
    rdma_interfaces: int


class ContainerPlan(PlanPart, frozen=True, kw_only=True):
    """A container that runs on every node. `ports` are as Docker takes them, such as "8080:80".

    Arguments and values of `env` are single lines without control characters.
    """

    image: str
    args: tuple[str, ...]
    env: dict[str, str]
    ports: tuple[str, ...]
    gpus: bool
    restart: Literal["always", "on-failure", "no"]


class RayPlan(PlanPart, frozen=True, kw_only=True):
    """Ray on every node, in a container; `leads` says whether this group's nodes may be the head.

    Who the head is stands in the metadata of the object `object` of `bucket`, which nodes may change.
    After `autostop_seconds` without work all nodes shut themselves down; 0 for never.
    """

    image: str
    bucket: str
    object: str
    leads: bool
    autostop_seconds: int = 0


class IdlePlan(PlanPart, frozen=True, kw_only=True):
    """A node is idle after `seconds` without use; with `stops`, an idle group is stopped."""

    seconds: int
    stops: bool


class ReceivePlan(PlanPart, frozen=True, kw_only=True):
    """The receiver for the GPUs of A3 High and A3 Mega: Google's daemon, and its plug-in for NCCL.

    `plugin` and `daemon` are images that belong together. The daemon runs `entrypoint`, or for an empty one
    what its image starts, with `arguments`. A container that uses it needs `capabilities`, the variables of
    `environment`, and those that a script of the plug-in called `profile` sets, which may be empty.
    """

    plugin: str
    daemon: str
    entrypoint: str
    arguments: tuple[str, ...]
    capabilities: tuple[str, ...]
    environment: dict[str, str]
    profile: str


class NodeSettings(PlanPart, frozen=True, kw_only=True):
    """The facts of one group of machines that scripts on them need.

    `gpus` and `local_ssds` count those of a single node. `scratch` is the folder where the local SSDs
    appear as one disk, empty for none. `files_manifest` is the name of the object in `files_bucket` that
    lists the files of the nodes; both are empty without files. `driver` is the branch of the NVIDIA driver
    to install, such as "580", empty where the image has one or nothing needs one. `docker` installs Docker,
    with the NVIDIA runtime where there are GPUs; `confidential_gpus` are set ready for work at every boot.
    `startup_script` runs last, at every boot; may be empty.
    Without `health` nodes are not examined, and answer health checks with that.
    `gpudirect` is how NCCL goes from GPU to GPU past the host: "roce" on A3 Ultra, A4 and A4X; "tcpx" on A3
    High and "tcpxo" on A3 Mega, where `receive` says by what. A `container` brings Docker. With `hosts` each
    node keeps lists of all nodes of the cluster, and with `ssh` besides lets users of one node go to any
    other; both need the rights in docs/nodes-vm.md. `mpi` brings Open MPI, and runs the programs that are
    described in files (`RunFacts`); it needs `ssh`. `nccl_tests` builds the benchmark of NCCL; `dcgm` brings
    NVIDIA's Data Center GPU Manager. `ops_agent` brings Google's agent for logs and metrics. `end` is where
    nodes read when their cluster ends. `ray` brings Docker, `slurm` needs `ssh`. `idle` says when
    nodes are. `notebook_port` is where people's JupyterLab listens, on the node itself; 0 for none.
    `rdma` are variables by which programs of MPI find the RDMA interface of machines without GPUs.
    `updates` says what nodes update by themselves; None leaves that to their image.
    On the `system` "cos", Container-Optimized OS, there are only those that need no packages.
    """

    cluster: str
    group: str
    gpus: int
    local_ssds: int
    scratch: str
    mounts: tuple[BucketMount, ...]
    files_bucket: str
    files_manifest: str
    unlimited_memlock: bool
    driver: str
    docker: bool
    startup_script: str
    confidential_gpus: bool = False
    health: HealthPlan | None = None
    gpudirect: Gpudirect = ""
    container: ContainerPlan | None = None
    hosts: bool = False
    ssh: bool = False
    end: NoticePlan | None = None
    mpi: bool = False
    nccl_tests: bool = False
    dcgm: bool = False
    ops_agent: bool = False
    ray: RayPlan | None = None
    slurm: SlurmPlan | None = None
    idle: IdlePlan | None = None
    notebook_port: int = 0
    system: System = "linux"
    receive: ReceivePlan | None = None
    volumes: tuple[VolumeMount, ...] = ()
    updates: UpdatesPlan | None = None
    rdma: dict[str, str] = {}  # noqa: RUF012 - msgspec copies it
