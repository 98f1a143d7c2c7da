"""What can be said of a volume that is a bucket of Cloud Storage."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import BucketName, Duration, Zone, looks_like

Location = Annotated[
    str,
    looks_like(
        "^([a-zA-Z]+-[a-zA-Z]+[0-9]+|[a-zA-Z]{2,4}|[a-zA-Z]{3,4}[0-9])$",
        "a bucket location: a region such as us-central1, or a multi-region such as us",
        "us-central1",
        "us",
        name_of="bucket_location",
    ),
]


class BucketLifecycle(Part, frozen=True, kw_only=True):
    """What happens to objects of a bucket when they are old."""

    after_days: Annotated[int, Meta(ge=1, le=36500, description="Age of an object, in days.", examples=[30])]
    action: Annotated[
        Literal["delete", "nearline", "coldline", "archive"],
        Meta(
            description="What happens to it.",
            extra_json_schema={
                "enumDescriptions": {
                    "delete": "It is deleted.",
                    "nearline": "It moves to the class for data read about once a month.",
                    "coldline": "It moves to the class for data read about once a quarter.",
                    "archive": "It moves to the class for data read less than once a year.",
                }
            },
        ),
    ]
    prefix: (
        Annotated[
            str,
            looks_like(
                "^[-_.A-Za-z0-9][-_./A-Za-z0-9]{0,254}$",
                "the beginning of names of objects: letters, digits and -_./, without a slash in front",
                "tmp/",
            ),
            Meta(description="Only objects whose names begin so. Left out: all."),
        ]
        | UnsetType
    ) = UNSET


VolumeBucket = Annotated[
    BucketName,
    Meta(
        description="Name of the bucket, which is unique in the world. Left out: name of the cluster, "
        "hyphen, name of the volume."
    ),
]

BucketLocation = Annotated[
    Location, Meta(description="Location of a created bucket. Left out: the cluster's region.")
]

StorageClass = Annotated[
    Literal["rapid", "standard", "nearline", "coldline", "archive"],
    Meta(
        description="Storage class of a created bucket. Left out: standard.",
        extra_json_schema={
            "enumDescriptions": {
                "rapid": "In one zone, beside the machines, at the lowest latency: checkpoints, and data "
                "that are read all the time. Always with a hierarchical namespace; cannot be changed later.",
                "standard": "For data in use.",
                "nearline": "For data read about once a month.",
                "coldline": "For data read about once a quarter.",
                "archive": "For data read less than once a year.",
            }
        },
    ),
]

HierarchicalNamespace = Annotated[
    bool,
    Meta(
        description="Real folders in a created bucket: renaming one is a single step, and checkpoints are "
        "written with up to eight times the operations. Cannot be changed later, and excludes `versioning`."
    ),
]

SoftDelete = Annotated[
    Duration,
    Meta(
        description="How long deleted objects of a created bucket can be restored: 7d to 90d, and they are "
        "paid for as long. 7 days are Google's default, too.",
        examples=["30d"],
    ),
]

Versioning = Annotated[
    bool,
    Meta(description="Keep what is overwritten or deleted in a created bucket, as older versions."),
]

Autoclass = Annotated[
    bool,
    Meta(description="Move objects of a created bucket between storage classes as they are read."),
]

Lifecycle = Annotated[
    tuple[BucketLifecycle, ...],
    Meta(
        description="What happens to old objects of a created bucket.",
        examples=[[{"after_days": 30, "action": "delete", "prefix": "tmp/"}]],
    ),
]

Profile = Annotated[
    Literal["training", "checkpoints", "serving"],
    Meta(
        description="What a bucket is for; Cloud Storage FUSE sets its caches accordingly. Left out: its "
        "own defaults.",
        extra_json_schema={
            "enumDescriptions": {
                "training": "Data that is read again and again, all of it.",
                "checkpoints": "Large files that are written once and seldom read.",
                "serving": "Models that many nodes read once, in parallel.",
            }
        },
    ),
]

MountOptions = Annotated[
    tuple[
        Annotated[
            str,
            looks_like(
                "^[a-z][-_a-z0-9]*(=[-._/A-Za-z0-9]{1,128})?$",
                "an option of gcsfuse, NAME or NAME=VALUE without hyphens in front",
                "metadata-cache-ttl-secs=60",
            ),
        ],
        ...,
    ],
    Meta(
        description="Options of Cloud Storage FUSE for a mounted bucket, as on its command line without the "
        "hyphens in front. They hold against its profile.",
        examples=[["only-dir=shards", "metadata-cache-ttl-secs=60"]],
    ),
]

NameSuffix = Annotated[
    Literal["random"],
    Meta(
        description="What follows the name of a created bucket. Left out: nothing.",
        extra_json_schema={
            "enumDescriptions": {
                "random": "A hyphen and eight random digits, made once and kept in Terraform's state: such a "
                "name is in use nowhere.",
            }
        },
    ),
]


class AnywhereCache(Part, frozen=True, kw_only=True):
    """A cache of a bucket in zones: what machines there have read comes from SSDs beside them."""

    zones: Annotated[
        tuple[Zone, ...],
        Meta(
            description="Zones of the machines that read, in the bucket's location. Left out: the cluster's "
            "zone.",
            examples=[["us-central1-a", "us-central1-b"]],
        ),
    ] = ()
    ttl: Annotated[
        Duration,
        Meta(
            description="How long what was not read again stays in the cache: 1h to 7d.",
            examples=["7d"],
        ),
    ] = "1d"
