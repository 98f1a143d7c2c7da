"""Storage for the data of nodes on Google Cloud."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import BucketName, NodePath, looks_like


class Bucket(Part, frozen=True, kw_only=True):
    """A Cloud Storage bucket that the nodes can use."""

    name: Annotated[BucketName, Meta(description="Name of the bucket, without gs://.")]
    mount: (
        Annotated[NodePath, Meta(description="Mount point on the nodes. Left out: not mounted.")] | UnsetType
    ) = UNSET
    access: Annotated[
        Literal["read_write", "read_only"],
        Meta(
            description="Access of the nodes to its objects.",
            extra_json_schema={
                "enumDescriptions": {
                    "read_write": "Read, write and delete objects.",
                    "read_only": "Read objects.",
                }
            },
        ),
    ] = "read_write"
    create: Annotated[
        bool,
        Meta(
            description="Create the bucket, which this cluster then owns. With false, it must exist already."
        ),
    ] = False
    location: (
        Annotated[
            str,
            looks_like(
                "^([a-zA-Z]+-[a-zA-Z]+[0-9]+|[a-zA-Z]{2,4}|[a-zA-Z]{3,4}[0-9])$",
                "a bucket location: a region such as us-central1, or a multi-region such as us",
                "us-central1",
                "us",
                name_of="bucket_location",
            ),
            Meta(description="Location of a created bucket. Left out: the cluster's region."),
        ]
        | UnsetType
    ) = UNSET
    storage_class: Annotated[
        Literal["standard", "nearline", "coldline", "archive"],
        Meta(
            description="Storage class of a created bucket.",
            extra_json_schema={
                "enumDescriptions": {
                    "standard": "For data in use.",
                    "nearline": "For data read about once a month.",
                    "coldline": "For data read about once a quarter.",
                    "archive": "For data read less than once a year.",
                }
            },
        ),
    ] = "standard"
    force_destroy: Annotated[
        bool,
        Meta(
            description="When the cluster is destroyed, delete a created bucket even if it still holds "
            "objects. With false, Terraform refuses until the bucket is empty."
        ),
    ] = False


class Storage(Part, frozen=True, kw_only=True):
    """Storage for the nodes' data."""

    buckets: Annotated[
        tuple[Bucket, ...],
        Meta(
            description="Cloud Storage buckets, existing or created.",
            examples=[[{"name": "my-bucket", "create": True}]],
        ),
    ] = ()
