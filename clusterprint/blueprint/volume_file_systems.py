"""What can be said of a volume that is a managed file system of Google Cloud."""

from typing import Annotated, Literal

from msgspec import Meta

from clusterprint.blueprint.texts import ResourceName, looks_like

Instance = Annotated[
    ResourceName,
    Meta(description="Name of an existing instance of Filestore or Managed Lustre, with create: false."),
]

Export = Annotated[
    str,
    looks_like(
        "^[A-Za-z0-9]([-.A-Za-z0-9]*[A-Za-z0-9])?:/[-._/A-Za-z0-9]+$",
        "an export as clients mount it, ADDRESS:/PATH of letters, digits and -._/",
        "10.165.128.100:/homes",
    ),
    Meta(description="What clients mount of an existing netapp, with create: false."),
]

Snapshots = Annotated[
    tuple[ResourceName, ...],
    Meta(
        description="Snapshots of a created filestore: each name is one, taken when the name is first "
        "applied, and deleted when the name goes. Not of the basic tiers.",
        examples=[["before-cleanup"]],
    ),
]

SizeGb = Annotated[
    int,
    Meta(
        ge=4,
        le=84016000,
        description="Size of what is created, in GiB; of a disk, for each node. Each kind and tier has its "
        "own smallest size and steps.",
        examples=[2560],
    ),
]

Tier = Annotated[
    Literal["zonal", "regional", "basic_ssd", "basic_hdd", "standard", "premium", "extreme"],
    Meta(
        description="Service tier of a created filestore or netapp. Left out: zonal, or of netapp premium.",
        extra_json_schema={
            "enumDescriptions": {
                "zonal": "Fast, in one zone: 1 TiB to 100 TiB.",
                "regional": "In several zones, for what must survive one: 1 TiB to 100 TiB.",
                "basic_ssd": "An older tier on SSD: 2.5 TiB to 63.9 TiB, never smaller again.",
                "basic_hdd": "The cheapest, and slow: 1 TiB to 63.9 TiB, never smaller again.",
                "standard": "Of netapp: 16 MiB/s for each TiB.",
                "premium": "Of netapp: 64 MiB/s for each TiB.",
                "extreme": "Of netapp: 128 MiB/s for each TiB.",
            }
        },
    ),
]

Protocol = Annotated[
    Literal["nfs_v3", "nfs_v4_1"],
    Meta(
        description="Protocol of a netapp or of a created filestore. Left out: nfs_v3, which all have.",
        extra_json_schema={
            "enumDescriptions": {
                "nfs_v3": "NFS 3.",
                "nfs_v4_1": "NFS 4.1, with locks that survive a restart; not in the basic tiers.",
            }
        },
    ),
]

Connect = Annotated[
    Literal["private_services", "direct"],
    Meta(
        description="How a created filestore is reached. Left out: private_services.",
        extra_json_schema={
            "enumDescriptions": {
                "private_services": "Through the network's private service access, which all its file "
                "systems share.",
                "direct": "By a peering of its own, which costs one of the network's 25 peerings.",
            }
        },
    ),
]

ThroughputPerTib = Annotated[
    int,
    Meta(
        ge=25,
        le=1000,
        description="Performance tier of a created lustre, in MB/s for each TiB: 125, 250, 500 or 1000. "
        "Left out: 500. Cannot be changed later.",
        examples=[500],
    ),
]
