"""The build of the Ray image."""

from clusterprint.plan.slice import Slice


class ImagePlan(Slice, frozen=True, kw_only=True):
    """What Cloud Build is told.

    `image` is the full name without a tag; the tag carries the Ray version and a checksum of all that the
    image is made from, `inputs`. `worker_pool` and `service_account` are full resource names. `staging` is
    the gs:// folder that the build reads its source from, `lock` is the name of the lock file. With
    `attested` Cloud Build signs for the image, which binary authorization looks for.
    """

    project: str
    region: str
    image: str
    tag: str
    inputs: str
    worker_pool: str
    service_account: str
    staging: str
    timeout_seconds: int
    attested: bool
    dockerfile: str
    requirements: str
    arguments: dict[str, str]
    lock: str
