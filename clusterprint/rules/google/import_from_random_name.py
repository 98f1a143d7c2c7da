from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.lustre_import import LustreImport
from clusterprint.rules._held import all_held
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP130", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def import_from_random_name(part: LustreImport, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """A Lustre is filled from a bucket whose name ends with random digits.

    Terraform generates the digits of `name_suffix: random`, so the given name is not that of the bucket.

    Remove `name_suffix`, or fill the Lustre from another bucket.
    """
    for bucket in all_held(context.blueprint):
        if bucket.suffix_length and bucket.name == part.bucket:
            yield Finding(
                f"there is no bucket {part.bucket}: its name ends with random digits",
                context.at(part, "bucket"),
                also=(context.at(bucket.part, "name_suffix", text="the digits"),),
                help="remove name_suffix, or import from another bucket",
            )
