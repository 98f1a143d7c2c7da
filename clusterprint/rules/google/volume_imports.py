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


@rule(
    "GCP131",
    severity=Severity.NOTE,
    source="Google Cloud: transfer data between Managed Lustre and Cloud Storage",
)
def import_from_own_bucket(part: LustreImport, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """A Lustre is filled from a bucket that the same blueprint creates.

    If both are created in the same apply, the bucket is empty: the import finds no objects, and is not
    repeated when objects are added. It works if the bucket was created earlier.

    Apply without the Lustre first, and add it once the bucket has its objects; or import from an existing
    bucket.
    """
    for bucket in all_held(context.blueprint):
        if bucket.create and not bucket.suffix_length and bucket.name == part.bucket:
            yield Finding(
                f"bucket {part.bucket} is created by this blueprint, and is empty unless it was created "
                "before the lustre: the import is not repeated",
                context.at(part, "bucket"),
                also=(bucket.place(context, "the bucket"),),
                help="add the lustre once the bucket has its objects, or import from an existing bucket",
            )
