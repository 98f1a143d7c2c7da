"""What can be said of a volume that is a disk of Compute Engine, or one for each machine."""

from typing import Annotated, Literal

from msgspec import Meta

from clusterprint.blueprint.texts import ResourceName

DiskType = Annotated[
    Literal["hyperdisk-balanced", "hyperdisk-extreme", "hyperdisk-throughput", "hyperdisk-ml"],
    Meta(
        description="Type of a created disk. Left out: hyperdisk-balanced, or with access: read_only "
        "hyperdisk-ml.",
        extra_json_schema={
            "enumDescriptions": {
                "hyperdisk-balanced": "For most: 3,000 to 160,000 IOPS.",
                "hyperdisk-extreme": "For databases: up to 350,000 IOPS.",
                "hyperdisk-throughput": "For large files at a low price: from 2 TiB.",
                "hyperdisk-ml": "Read by many nodes at once: models and their weights.",
            }
        },
    ),
]

Iops = Annotated[
    int,
    Meta(
        ge=2,
        le=350000,
        description="IOPS of a created disk of type hyperdisk-balanced or hyperdisk-extreme. Left out: "
        "what its type has for its size.",
        examples=[6000],
    ),
]

Throughput = Annotated[
    int,
    Meta(
        ge=10,
        le=1200000,
        description="Throughput of a created disk, in MiB/s; of hyperdisk-extreme it follows from the "
        "IOPS. Left out: what its type has for its size.",
        examples=[1200],
    ),
]

Snapshot = Annotated[
    ResourceName,
    Meta(
        description="Existing snapshot that a created read-only disk is filled from.",
        examples=["llama-weights"],
    ),
]

ExistingDisk = Annotated[
    ResourceName,
    Meta(description="Name of an existing disk that all nodes read, with create: false."),
]
