"""Fields that jobs of every kind share."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta

from clusterprint.blueprint.gke.texts import KubernetesName
from clusterprint.blueprint.relations import (
    ExactlyOne,
    Excludes,
    Forbids,
    Names,
    Needs,
    Refuses,
    Relation,
    unless,
    when,
    written,
)
from clusterprint.blueprint.texts import Duration, JobName, PlainText, choice, looks_like

#: What jobs may run on: pools of the blueprint, and nodes of an existing cluster.
NODES = ("node_pools", "cluster.existing.nodes")
#: What holds for jobs that come to an end, and begin again where they left off.
RETRIED = Excludes("GKE477", when("retries", 0), unless("@pool.health.spares", 0))
#: What holds for jobs of every kind.
JOB_RELATIONS: tuple[Relation, ...] = (
    Needs("GKE235", when("priority"), when("queue")),
    Excludes("GKE109", when("name"), when("@pool.capacity.queued"), (when("queue", UNSET),)),
    Excludes("GKE476", when("name"), unless("@pool.health.spares", 0), (when("queue", UNSET),)),
    Needs("GKE110", when("queue"), when("/workloads.kueue")),
    Forbids("GKE110", when("queue"), (when("@is_queue_elsewhere"),)),
    Forbids("GKE118", when("queue"), (when("@is_queued"), when("@unknown_size"))),
    Forbids("GKE237", when("keep_within"), (when("@pool"), when("@is_queued", False)), words="no_queue"),
    Forbids("GKE237", when("keep_within"), (when("@pool"), when("@is_queued"), when("@is_placed", False))),
    Excludes("GKE294", written("keep_within"), when("/cluster.existing.context")),
    Refuses("GKE114", "grace_period", "outside", ("1s", "1h")),
    Forbids("GKE389", when("image"), (when("@is_image_moving"),)),
    *(Excludes("GKE341", when("compute_class"), when(field)) for field in ("node_pool", "queue")),
    ExactlyOne("GKE380", ("image", "build")),
    Names("GKE340", "compute_class", ("compute_classes",), "compute class", "compute classes"),
    Names("GKE381", "build", ("image_builds",), "image build"),
    Names("GKE110", "queue", ("workloads.kueue.local_queues",), "queue"),
    Names("GKE235", "priority", ("workloads.kueue.priorities",), "priority", "priorities"),
)

WorkingDir = Annotated[
    str,
    looks_like(
        "^/[^\\x00-\\x1f\\x7f]*$",
        "an absolute path, such as /opt/solver",
        "/opt/solver",
    ),
]

JobBuild = Annotated[
    JobName,
    Meta(
        description="Name of one of `image_builds`. Alternative to `image`. The pods run its last build, "
        "by digest; before the first build, they are left out.",
        examples=["trainer"],
    ),
]

JobClass = Annotated[
    KubernetesName,
    Meta(
        description="Compute class of the nodes, from `compute_classes`: its pools are tried in their "
        "order, such as spot before flex-start. Alternative to `node_pool`. Cannot be combined with "
        "`queue`, which orders flavors itself.",
        examples=["h200"],
    ),
]

KeepWithin = Annotated[
    Literal["block", "subblock"],
    choice(
        description="Part of the data center that must hold all pods; the job waits until there is room. "
        "Requires `queue`, and the pool in `kueue.topology_pools`. Left out, in such pools: as close to "
        "each other as possible.",
        values={
            "block": "One block of machines.",
            "subblock": "One sub-block, such as a rack.",
        },
    ),
]

SharedMemory = Annotated[
    int,
    Meta(
        ge=1,
        le=65536,
        description="Size of /dev/shm in GiB, which counts as memory of the pod. Left out: half of "
        "the pod's memory.",
        examples=[8],
    ),
]

UserId = Annotated[
    int,
    Meta(
        ge=0,
        le=2147483647,
        description="Numeric user ID of the containers. Left out: the image's user.",
        examples=[1000],
    ),
]

JobPriority = Annotated[
    KubernetesName,
    Meta(description="Priority, one of `kueue.priorities`. Requires `queue`.", examples=["urgent"]),
]

GracePeriod = Annotated[
    Duration,
    Meta(
        description="Time between the signal to end (SIGTERM) and the end of a pod, for example to store a "
        "checkpoint. Left out: 30 seconds. Node upgrades of GKE wait at most an hour.",
        examples=["10m"],
    ),
]

RunWord = Annotated[
    PlainText,
    Meta(
        max_length=63,
        description="Any word. Change it to start a new run when nothing else has changed.",
        examples=["second"],
    ),
]
