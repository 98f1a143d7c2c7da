"""Images for boot disks that are taken when a blueprint names none."""

from functools import cache
from typing import Literal

from clusterprint.catalog.fact import Fact, read_table


class Image(Fact, frozen=True, kw_only=True):
    """An image family of a public project.

    `gpu_driver` is the branch of the NVIDIA driver inside, empty for none. `min_disk_gb` is the
    smallest boot disk that takes the image, None if not known.
    """

    family: str
    project: str
    architecture: Literal["amd64", "arm64"]
    gpu_driver: str = ""
    min_disk_gb: int | None = None


@cache
def _table() -> dict[str, Image]:
    return read_table("google/images", dict[str, Image])


def images() -> tuple[Image, ...]:
    """All default images."""
    return tuple(_table().values())


def default_image(*, architecture: Literal["amd64", "arm64"], gpu: bool, fabric: str = "none") -> Image:
    """The image for machines of an architecture, with the driver for GPUs, for a fabric without, or none."""
    own = _table().get(f"{fabric.lower()}-{architecture}")
    return own or _table()[f"{'gpu' if gpu else 'cpu'}-{architecture}"]
