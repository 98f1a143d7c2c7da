"""Volumes that are managed file systems of Google Cloud."""

from typing import Annotated, Literal

from msgspec import Meta

from clusterprint.blueprint.texts import IPV4, ResourceName, choice, looks_like

Instance = Annotated[
    ResourceName,
    Meta(
        description="Name of an existing Filestore, Managed Lustre or Parallelstore instance. Requires "
        "`create: false`."
    ),
]

AccessPoint = Annotated[
    str,
    looks_like(
        IPV4,
        "the IPv4 address of a server, such as 10.0.4.4",
        "10.0.4.4",
    ),
]

AccessPoints = Annotated[
    tuple[AccessPoint, ...],
    Meta(
        description="Access points of an existing Parallelstore instance: the addresses of its servers, as "
        "`gcloud beta parallelstore instances describe` lists them. Requires `create: false`.",
        examples=[["10.0.4.2", "10.0.4.3", "10.0.4.4"]],
    ),
]

Export = Annotated[
    str,
    looks_like(
        "^[A-Za-z0-9]([-.A-Za-z0-9]*[A-Za-z0-9])?:/[-._/A-Za-z0-9]+$",
        "an export as clients mount it, ADDRESS:/PATH of letters, digits and -._/",
        "10.165.128.100:/homes",
    ),
    Meta(description="Export path of an existing netapp volume. Requires `create: false`."),
]

Snapshots = Annotated[
    tuple[ResourceName, ...],
    Meta(
        description="Snapshots of a created filestore, by name. A snapshot is taken when its name is "
        "first applied, and deleted when the name is removed. Not available in the basic tiers.",
        examples=[["before-cleanup"]],
    ),
]

SourceBackup = Annotated[
    str,
    looks_like(
        "^projects/[a-z][-a-z0-9]{4,28}[a-z0-9]/locations/[a-z]+-[a-z]+[0-9]+/backups/"
        "[a-z]([-a-z0-9]{0,61}[a-z0-9])?$",
        "the full name of a backup, projects/PROJECT/locations/REGION/backups/NAME",
        "projects/my-gpu-project/locations/us-central1/backups/homes",
    ),
    Meta(
        description="Existing backup, in the same project, to create a filestore from. The volume must be "
        "at least as large as the one that was backed up. Cannot be changed later.",
        examples=["projects/my-gpu-project/locations/us-central1/backups/homes"],
    ),
]

SizeGb = Annotated[
    int,
    Meta(
        ge=4,
        le=84016000,
        description="Size of a created volume in GiB; of disks, per node. Minimum and step depend on "
        "kind and tier.",
        examples=[2560],
    ),
]

Tier = Annotated[
    Literal["zonal", "regional", "basic_ssd", "basic_hdd", "standard", "premium", "extreme", "flex"],
    choice(
        description="Service tier of a created filestore or netapp volume. Left out: zonal for "
        "filestore, premium for netapp.",
        values={
            "zonal": "Fast, in one zone: 1 TiB to 100 TiB.",
            "regional": "Replicated over several zones, survives the loss of one: 1 TiB to 100 TiB.",
            "basic_ssd": "Older tier on SSD: 2.5 TiB to 63.9 TiB; cannot shrink.",
            "basic_hdd": "Cheapest and slow: 1 TiB to 63.9 TiB; cannot shrink.",
            "standard": "NetApp: 16 MiB/s per TiB.",
            "premium": "NetApp: 64 MiB/s per TiB.",
            "extreme": "NetApp: 128 MiB/s per TiB.",
            "flex": "NetApp, in one zone: from 1 TiB on, 64 MiB/s, or as much as `throughput_mbps` says.",
        },
    ),
]

#: What is meant by default.
DEFAULT_PROTOCOL, DEFAULT_CONNECT = "nfs_v3", "private_services"

Protocol = Annotated[
    Literal["nfs_v3", "nfs_v4_1"],
    choice(
        description="Protocol of a netapp volume or a filestore. "
        f"Left out: {DEFAULT_PROTOCOL}, which all tiers support.",
        values={
            "nfs_v3": "NFS 3.",
            "nfs_v4_1": "NFS 4.1, with locks that survive a restart; not available in the basic tiers.",
        },
    ),
]

Connect = Annotated[
    Literal["private_services", "direct"],
    choice(
        description=f"How a created filestore is connected. Left out: {DEFAULT_CONNECT}.",
        values={
            "private_services": "Through the network's private service access, shared by all its file "
            "systems.",
            "direct": "Through its own peering, which uses up one of the network's 25 peerings. Not in a "
            "network of another project.",
        },
    ),
]

ThroughputPerTib = Annotated[
    int,
    Meta(
        ge=25,
        le=1000,
        description="Performance tier of a created lustre, in MB/s per TiB: 125, 250, 500 or 1000. Left "
        "out: 500. Cannot be changed later.",
        examples=[500],
    ),
]
