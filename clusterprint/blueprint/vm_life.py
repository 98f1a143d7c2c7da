"""How long a cluster of `kind: vm` lives, and what waits for it and watches it."""

from typing import Annotated, Literal

from msgspec import Meta

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration, choice

TimeToLive = Annotated[
    Duration,
    Meta(
        description="Lifetime of the cluster, from the apply that first creates its nodes. After it "
        "Cloud Scheduler deletes or stops all nodes; network, buckets and state are kept. Left out: "
        "unlimited.",
        examples=["2d"],
    ),
]

TimeToLiveAction = Annotated[
    Literal["delete", "stop"],
    choice(
        description="Action on the nodes when the time to live is over.",
        values={
            "delete": "The nodes and their boot disks are deleted.",
            "stop": "The nodes are stopped and keep their boot disks, which are still billed.",
        },
    ),
]


class Wait(Part, frozen=True, kw_only=True):
    """The condition that `terraform apply` waits for. Requires gcloud where Terraform runs."""

    until: Annotated[
        Literal["ready"],
        choice(
            description="State that each node has to report.",
            values={
                "ready": "All steps of its setup are done, including the startup script. A node whose setup "
                "fails ends the wait.",
            },
        ),
    ] = "ready"
    timeout: Annotated[
        Duration,
        Meta(
            description="Timeout, for the machines to be created and then for all nodes to be ready. "
            "After it the apply fails; the nodes are kept."
        ),
    ] = "30m"
