"""Volumes that are buckets of Cloud Storage."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import BucketName, Duration, Zone, choice, looks_like

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
    """The action on objects of a certain age."""

    after_days: Annotated[int, Meta(ge=1, le=36500, description="Age of an object, in days.", examples=[30])]
    action: Annotated[
        Literal["delete", "nearline", "coldline", "archive"],
        choice(
            description="Action on such an object.",
            values={
                "delete": "It is deleted.",
                "nearline": "It moves to the class for data read about once a month.",
                "coldline": "It moves to the class for data read about once a quarter.",
                "archive": "It moves to the class for data read less than once a year.",
            },
        ),
    ]
    prefix: Annotated[
        str | UnsetType,
        looks_like(
            "^[-_.A-Za-z0-9][-_./A-Za-z0-9]{0,254}$",
            "a prefix of object names: letters, digits and -_./, without a slash in front",
            "tmp/",
        ),
        Meta(description="Prefix of the names of the objects. Left out: all objects."),
    ] = UNSET


VolumeBucket = Annotated[
    BucketName,
    Meta(description="Name of the bucket, globally unique. Left out: `<cluster>-<volume>`."),
]

BucketLocation = Annotated[
    Location, Meta(description="Location of a created bucket. Left out: the cluster's region.")
]

StorageClass = Annotated[
    Literal["rapid", "standard", "nearline", "coldline", "archive"],
    choice(
        description="Storage class of a created bucket. Left out: standard.",
        values={
            "rapid": "In one zone, close to the machines, with the lowest latency: for checkpoints and data "
            "that is read all the time. Always has a hierarchical namespace; cannot be changed later.",
            "standard": "For data in use.",
            "nearline": "For data read about once a month.",
            "coldline": "For data read about once a quarter.",
            "archive": "For data read less than once a year.",
        },
    ),
]

HierarchicalNamespace = Annotated[
    bool,
    Meta(
        description="Real folders in a created bucket: renaming a folder is one operation, and "
        "checkpoints are written with up to eight times as many operations per second. Cannot be changed "
        "later, and excludes `versioning`."
    ),
]

SoftDelete = Annotated[
    Duration,
    Meta(
        description="How long deleted objects of a created bucket can be restored, 7d to 90d. They are "
        "billed for that time. Google's default is 7 days as well.",
        examples=["30d"],
    ),
]

Versioning = Annotated[
    bool,
    Meta(description="Keep older versions of objects that are overwritten or deleted in a created bucket."),
]

Autoclass = Annotated[
    bool,
    Meta(
        description="Move objects of a created bucket between storage classes automatically, by how "
        "often they are read."
    ),
]

Lifecycle = Annotated[
    tuple[BucketLifecycle, ...],
    Meta(
        description="Rules for old objects of a created bucket.",
        examples=[[{"after_days": 30, "action": "delete", "prefix": "tmp/"}]],
    ),
]

Profile = Annotated[
    Literal["training", "checkpoints", "serving"],
    choice(
        description="Usage of a bucket, by which Cloud Storage FUSE sets its caches. Left out: the "
        "defaults of Cloud Storage FUSE.",
        values={
            "training": "Training data that is read completely, many times.",
            "checkpoints": "Large files that are written once and rarely read.",
            "serving": "Models that many nodes load once, in parallel.",
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
        "hyphens in front. They override its profile.",
        examples=[["only-dir=shards", "metadata-cache-ttl-secs=60"]],
    ),
]

NameSuffix = Annotated[
    Literal["random"],
    choice(
        description="Suffix of the name of a created bucket. Left out: none.",
        values={
            "random": "A hyphen and eight random digits, generated once and kept in Terraform's state, so "
            "that the name is not taken.",
        },
    ),
]


class AnywhereCache(Part, frozen=True, kw_only=True):
    """A cache of a bucket in zones: what machines there have read comes from SSDs beside them."""

    zones: Annotated[
        tuple[Zone, ...],
        Meta(
            description="Zones of the machines that read from the bucket, all in its location. Left out: "
            "the cluster's zone.",
            examples=[["us-central1-a", "us-central1-b"]],
        ),
    ] = ()
    ttl: Annotated[
        Duration,
        Meta(
            description="How long data stays in the cache without being read again: 1h to 7d.",
            examples=["7d"],
        ),
    ] = "1d"
