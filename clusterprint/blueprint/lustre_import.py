"""The bucket that fills a created Managed Lustre on Google Cloud."""

from typing import Annotated

from msgspec import Meta

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import BucketName, Duration, looks_like


class LustreImport(Part, frozen=True, kw_only=True):
    """A bucket that a created Lustre is filled from. Requires gcloud where Terraform runs."""

    bucket: Annotated[
        BucketName,
        Meta(
            description="Bucket with the objects: an existing one, or one of this blueprint, which is "
            "created first and must contain its objects by then."
        ),
    ]
    path: Annotated[
        str,
        looks_like(
            "^/([-._=A-Za-z0-9]{1,255}/){0,16}$",
            "a folder of a bucket: names of letters, digits and -._=, with a slash before and after each",
            "/",
            "/imagenet/train/",
        ),
        Meta(description="Folder of the bucket to import, into the top folder of the file system."),
    ] = "/"
    timeout: Annotated[
        Duration,
        Meta(
            description="Time that an apply waits for the import. After it the apply fails and the import "
            "continues; the next apply waits again."
        ),
    ] = "12h"
