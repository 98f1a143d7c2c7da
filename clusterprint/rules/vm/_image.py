"""Facts in the name of an image."""

from msgspec import UnsetType

from clusterprint.blueprint.machine_disks import Image
from clusterprint.diagnostic import Label
from clusterprint.rules.kit import UNSET, Context


def image_name(image: Image) -> str:
    """The family or the name of an image, whichever is given."""
    return next((each for each in (image.family, image.name) if each is not UNSET), "")


def image_words(image: Image) -> frozenset[str]:
    """The words that the family or the name of an image consists of."""
    return frozenset(image_name(image).split("-"))


def is_debian(image: Image | UnsetType) -> bool:
    """Whether an image is one of Debian, by its project or its name; what is named by neither may be any."""
    return image is not UNSET and (image.project == "debian-cloud" or "debian" in image_words(image))


def image_label(image: Image, context: Context) -> Label:
    """Where an image is named."""
    return context.at(image, "name" if image.family is UNSET else "family")
