from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule(
    "GCP127",
    severity=Severity.WARNING,
    source="Google Cloud: Parallelstore overview; Terraform provider google: remove deprecated Parallelstore "
    "resources",
)
def parallelstore_given_up(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    """A volume is a Parallelstore: deprecated, by invitation only, and likely to lose its data.

    Parallelstore is available to invited projects only. Google refers new customers to Managed Lustre, and
    the Terraform provider plans to remove the resource. It is also scratch space: the mean time to data loss
    is 2 months for an instance of 100 TiB, 4 for 48 TiB and 16 for 12 TiB.

    Use `lustre`. If the project has access to Parallelstore, ignore this warning with a reason, and keep a
    copy of the data in a bucket.
    """
    if volume.kind == "parallelstore":
        yield Finding(
            f"volume {volume.name} is a Parallelstore: deprecated, by invitation only, and scratch space "
            "with a mean time to data loss of 2 to 16 months",
            context.at(volume, "kind"),
            help="use kind: lustre; or, if the project was invited, ignore this warning and keep copies of "
            "the data",
        )
