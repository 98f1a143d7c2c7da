from collections.abc import Iterator

from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.lustre_import import LustreImport
from clusterprint.diagnostic import Severity
from clusterprint.rules._held import all_held
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("GCP130", severity=Severity.ERROR, source="The blueprint language: storage.volumes", firm=True)
def import_from_random_name(part: LustreImport, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    """A Lustre is filled from a bucket whose name goes on with random digits.

    The digits of `name_suffix: random` are made by Terraform, so what is written is not the name of that
    bucket.

    Give the bucket a name without digits, or fill the Lustre from another one.
    """
    for bucket in all_held(context.blueprint):
        if bucket.suffix_length and bucket.name == part.bucket:
            yield Finding(
                f"there is no bucket {part.bucket}: its name goes on with random digits",
                context.at(part, "bucket"),
                also=(context.at(bucket.part, "name_suffix", text="the digits"),),
                help="remove name_suffix, or import from another bucket",
            )
