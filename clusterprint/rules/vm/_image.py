"""What the name of an image tells."""

from msgspec import UNSET

from clusterprint.blueprint.machine_disks import Image
from clusterprint.diagnostic import Label
from clusterprint.rules.context import Context

#: Projects of images whose packages are not Debian's, for what is published for apt only.
WITHOUT_APT = (
    "centos-cloud",
    "cloud-hpc-image-public",
    "opensuse-cloud",
    "rhel-cloud",
    "rocky-linux-accelerator-cloud",
    "rocky-linux-cloud",
    "suse-cloud",
)


def image_name(image: Image) -> str:
    """The family or the name of an image, whichever is given."""
    return next((each for each in (image.family, image.name) if each is not UNSET), "")


def image_words(image: Image) -> frozenset[str]:
    """The words that the family or the name of an image consists of."""
    return frozenset(image_name(image).split("-"))


def image_label(image: Image, context: Context) -> Label:
    """Where an image is named."""
    return context.at(image, "name" if image.family is UNSET else "family")
