"""Where the Terraform state is stored; the same in every kind."""

from typing import Annotated, ClassVar

from msgspec import UNSET, Meta, UnsetType

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.relations import Refuses, Relation
from clusterprint.blueprint.texts import BucketName, looks_like

StatePrefix = Annotated[
    str,
    looks_like(
        "^[-_.=+@A-Za-z0-9]+(/[-_.=+@A-Za-z0-9]+)*$",
        "a state prefix: letters, digits and -_.=+@, with single slashes between parts and no slash at "
        "either end",
        "clusterprint/spani",
    ),
]


class GcsBackend(Part, frozen=True, kw_only=True):
    """A Google Cloud Storage bucket that holds the Terraform state; it must exist already."""

    relations: ClassVar[tuple[Relation, ...]] = (
        Refuses("BP201", "bucket", "bucket_name"),
        Refuses("BP202", "prefix", "matching", (r"(.*/)?(?P<dots>\.\.?)(/|$)",)),
        Refuses("BP202", "prefix", "matching", (r"\.well-known/acme-challenge(/|$)",), words="reserved"),
    )

    bucket: Annotated[BucketName, Meta(description="Name of the bucket.")]
    prefix: Annotated[
        StatePrefix | UnsetType,
        Meta(
            description="Folder in the bucket. Each stack keeps its state in a subfolder named after the "
            "stack. Left out: `clusterprint/<name>`."
        ),
    ] = UNSET


class Backend(Part, frozen=True, kw_only=True):
    """Where the Terraform state is stored."""

    gcs: Annotated[GcsBackend, Meta(description="State in a Google Cloud Storage bucket, with locking.")]
