"""What a created Managed Lustre of Google Cloud is filled with."""

from typing import Annotated

from msgspec import Meta

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import BucketName, Duration, looks_like


class LustreImport(Part, frozen=True, kw_only=True):
    """A bucket, whose objects a created Lustre is filled with; this needs gcloud where Terraform runs."""

    bucket: Annotated[
        BucketName,
        Meta(
            description="Bucket with the objects. It exists already, or is a bucket of this blueprint, which "
            "is created first and has to have its objects by then."
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
        Meta(
            description="Folder of the bucket whose objects are imported, into the top folder of the file "
            "system."
        ),
    ] = "/"
    timeout: Annotated[
        Duration,
        Meta(
            description="How long an apply waits for the import. After that time the apply fails and the "
            "import goes on; the next apply waits again."
        ),
    ] = "12h"
