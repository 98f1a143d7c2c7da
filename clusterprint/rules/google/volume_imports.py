from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.lustre_import import LustreImport
from clusterprint.rules._held import all_held
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP130", severity=Severity.ERROR, firm=True)
def import_from_random_name(part: LustreImport, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    for bucket in all_held(context.blueprint):
        if bucket.suffix_length and bucket.name == part.bucket:
            yield Finding(
                f"there is no bucket {part.bucket}: its name ends with random digits",
                context.at(part, "bucket"),
                also=(context.at(bucket.part, "name_suffix", text="the digits"),),
                help="remove name_suffix, or import from another bucket",
            )


@rule("GCP131", severity=Severity.NOTE)
def import_from_own_bucket(part: LustreImport, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    for bucket in all_held(context.blueprint):
        if bucket.create and not bucket.suffix_length and bucket.name == part.bucket:
            yield Finding(
                f"bucket {part.bucket} is created by this blueprint, and is empty unless it was created "
                "before the lustre: the import is not repeated",
                context.at(part, "bucket"),
                also=(bucket.place(context, "the bucket"),),
                help="add the lustre once the bucket has its objects, or import from an existing bucket",
            )
