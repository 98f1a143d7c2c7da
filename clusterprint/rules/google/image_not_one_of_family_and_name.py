from clusterprint.blueprint.machine_disks import Image
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, given, rule


@rule("GCP030", severity=Severity.ERROR, source="Google Cloud: image families", firm=True)
def image_not_one_of_family_and_name(image: Image, context: Context) -> Iterator[Finding]:
    """The image is given by family and by name, or by neither.

    A family means its newest image, a name means one image forever: only one of them can be meant.

    Keep `family` to get updates with new machines, or `name` to have all machines alike.
    """
    if image.family is UNSET and image.name is UNSET:
        yield Finding(
            "the image has neither a family nor a name",
            context.at_key(image),
            help="add family: FAMILY for its newest image, or name: IMAGE for one image",
        )
    elif given(image.family) and given(image.name):
        yield Finding(
            "the image has both a family and a name",
            context.at(image, "name"),
            also=(context.at(image, "family", text="the family"),),
            help="remove one of the two",
        )
