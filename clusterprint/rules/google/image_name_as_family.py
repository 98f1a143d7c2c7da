import re

from clusterprint.blueprint.machine_disks import Image
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule

_DATED = re.compile(r"-v20\d{6}[a-z]?$")


@rule("GCP031", severity=Severity.WARNING, source="Google Cloud: image families")
def image_name_as_family(image: Image, context: Context) -> Iterator[Finding]:
    """The image family looks like the name of a single image.

    Public images carry the date of their build in their name; families do not. A family that does not
    exist fails during deployment.

    Write it as `name`, or remove the date to follow the family.
    """
    if not given(image.family) or image.name is not UNSET or not _DATED.search(image.family):
        return
    yield Finding(
        f"{image.family} looks like the name of an image, not like a family",
        context.at(image, "family"),
        help=f"write name: {image.family}",
    )
