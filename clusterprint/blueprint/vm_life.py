"""How long a cluster of `kind: vm` lives, and what waits for it and watches it."""

from typing import Annotated, Literal

from msgspec import Meta

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration

TimeToLive = Annotated[
    Duration,
    Meta(
        description="How long after the apply that first makes its nodes the cluster ends: Cloud Scheduler "
        "then deletes all nodes, or stops them. Network, buckets and state stay. Left out: never.",
        examples=["2d"],
    ),
]

TimeToLiveAction = Annotated[
    Literal["delete", "stop"],
    Meta(
        description="What happens to the nodes at the end of their time to live.",
        extra_json_schema={
            "enumDescriptions": {
                "delete": "The nodes and their boot disks are deleted.",
                "stop": "The nodes are stopped and keep their boot disks, which still cost.",
            }
        },
    ),
]


class Wait(Part, frozen=True, kw_only=True):
    """What `terraform apply` waits for; it needs gcloud on the machine that it runs on."""

    until: Annotated[
        Literal["ready"],
        Meta(
            description="What each node has to say of itself.",
            extra_json_schema={
                "enumDescriptions": {
                    "ready": "All steps of its setup are done, the start-up script with them. A node whose "
                    "setup fails ends the wait."
                }
            },
        ),
    ] = "ready"
    timeout: Annotated[
        Duration,
        Meta(
            description="How long to wait, for the machines and then for all nodes to be ready; then the "
            "apply fails, and the nodes stay."
        ),
    ] = "30m"
