"""How long a cluster of `kind: vm` lives, and what waits for it and watches it."""

from typing import Annotated, Literal

from msgspec import Meta

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
