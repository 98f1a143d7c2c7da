from collections.abc import Iterator

from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule(
    "GCP127",
    severity=Severity.WARNING,
    source="Google Cloud: Parallelstore overview; Terraform provider google: remove deprecated Parallelstore "
    "resources",
)
def parallelstore_given_up(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A volume is a Parallelstore: by invitation only, deprecated, and likely to lose its data.

    Google makes instances for projects that were invited, and tells new customers to take Managed Lustre;
    the Terraform provider is to lose the resource. A Parallelstore is scratch space, too: on average an
    instance of 100 TiB loses its data after 2 months, one of 48 TiB after 4, one of 12 TiB after 16.

    Take `lustre`. Where the project has Parallelstore, ignore this warning with a reason, and keep in a
    bucket what must not be lost.
    """
    if volume.kind == "parallelstore":
        yield Finding(
            f"volume {volume.name} is a Parallelstore: deprecated, by invitation only, and scratch space "
            "that loses its data after 2 to 16 months on average",
            context.at(volume, "kind"),
            help="take kind: lustre; or ignore this, if the project was invited, and keep copies of the data",
        )
