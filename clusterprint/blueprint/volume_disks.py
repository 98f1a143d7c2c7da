"""Volumes that are disks of Compute Engine: shared, or one for each machine."""

from typing import Annotated, Literal

from msgspec import Meta

from clusterprint.blueprint.texts import ResourceName, choice

DiskType = Annotated[
    Literal["hyperdisk-balanced", "hyperdisk-extreme", "hyperdisk-throughput", "hyperdisk-ml"],
    choice(
        description="Type of a created disk. Left out: hyperdisk-balanced, or hyperdisk-ml with `access: "
        "read_only`.",
        values={
            "hyperdisk-balanced": "For most uses: 3,000 to 160,000 IOPS.",
            "hyperdisk-extreme": "For databases: up to 350,000 IOPS.",
            "hyperdisk-throughput": "For large files at a low price: 2 TiB and more.",
            "hyperdisk-ml": "Read by many nodes at once, for models and their weights.",
        },
    ),
]

Iops = Annotated[
    int,
    Meta(
        ge=2,
        le=350000,
        description="IOPS of a created disk of type hyperdisk-balanced or hyperdisk-extreme. Left out: "
        "the default of its type and size.",
        examples=[6000],
    ),
]

Throughput = Annotated[
    int,
    Meta(
        ge=10,
        le=1200000,
        description="Throughput of a created disk in MiB/s; for hyperdisk-extreme it follows from the "
        "IOPS. Left out: the default of its type and size. Of a netapp of tier flex: 64 to 5120; left out: "
        "64.",
        examples=[1200],
    ),
]

Snapshot = Annotated[
    ResourceName,
    Meta(
        description="Existing snapshot to create a read-only disk from.",
        examples=["llama-weights"],
    ),
]

ExistingDisk = Annotated[
    ResourceName,
    Meta(description="Name of an existing disk that all nodes read. Requires `create: false`."),
]
