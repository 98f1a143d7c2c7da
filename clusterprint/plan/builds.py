"""Plans for building images."""

from typing import Literal

from clusterprint.plan.google import ServiceAccountPlan
from clusterprint.plan.part import PlanPart


class MirrorPlan(PlanPart, frozen=True, kw_only=True):
    """Two more repositories: `remote` keeps copies of the packages of `upstream`, `virtual` looks into both.

    Copies that nobody has fetched anew go after `days`. What has the higher priority is looked into first.
    """

    remote: str
    virtual: str
    upstream: Literal["DOCKER_HUB", "PYPI"]
    days: int
    own_priority: int
    remote_priority: int


class RegistryPlan(PlanPart, frozen=True, kw_only=True):
    """The repository for packages of one form that builds write to, by its id, and what is beside it.

    Versions without a tag go after `untagged_days`; the `keep` newest versions of a package always stay.
    Where it is `scanned`, Artifact Analysis looks at what is pushed; None leaves that as it is.
    """

    form: Literal["docker", "python"]
    own: str
    untagged_days: int
    keep: int
    mirror: MirrorPlan | None
    scanned: bool | None = None
    kms_key: str = ""


class BuildPoolPlan(PlanPart, frozen=True, kw_only=True):
    """A private pool of build machines, inside the cluster's network.

    `network` is the key of a network of the plan; with an existing network it is empty and
    `existing_network` is its full path. `address` and `prefix_length` are the range that the machines take,
    in the project of the network.
    """

    name: str
    machine_type: str
    disk_size_gb: int
    network: str
    existing_network: str
    network_project: str
    range_name: str
    address: str
    prefix_length: int


class BuilderPlan(PlanPart, frozen=True, kw_only=True):
    """The account that builds images. In `bucket` it reads what is below `source`, and nothing else."""

    account: ServiceAccountPlan
    bucket: str
    source: str


class BuildsPlan(PlanPart, frozen=True, kw_only=True):
    """All that has to stand before an image is built. Without a pool, builds run on Google's own machines."""

    registries: tuple[RegistryPlan, ...] = ()
    pool: BuildPoolPlan | None = None
    builder: BuilderPlan | None = None


class ContextFilePlan(PlanPart, frozen=True, kw_only=True):
    """A file that an image is built from: its path there, and `source`, from the blueprint's folder."""

    name: str
    source: str
    sha256: str
    executable: bool


class ImagePlan(PlanPart, frozen=True, kw_only=True):
    """The settings of an image build in Cloud Build.

    `image` is the full name without a tag; the tag carries a version and a checksum of all that the image is
    made from, `inputs`. `worker_pool` and `service_account` are full resource names; without a pool Google's
    own machines build, of `machine_type` and with `disk_size_gb` where these are said. `staging` is the gs://
    folder that the build reads its source from, `files` what lies there by their paths, `context` what lies
    there of the user's, `lock` the name of the lock file. `cache` is empty, or the image whose layers a build
    begins with and that it leaves for the next one. With `sbom` what is in the image is listed afterwards.
    With `attested` Cloud Build signs for the image, which binary authorization looks for.
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
    files: dict[str, str]
    context: tuple[ContextFilePlan, ...] = ()
    machine_type: str = ""
    disk_size_gb: int = 0
    cache: str = ""
    sbom: bool = False
    arguments: dict[str, str]
    lock: str

    @property
    def name(self) -> str:
        """The image with its tag."""
        return f"{self.image}:{self.tag}"

    @property
    def short_name(self) -> str:
        """The name of the image in its repository."""
        return self.image.rpartition("/")[2]
