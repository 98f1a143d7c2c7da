from clusterprint.blueprint.storage import Bucket
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_OF_CREATED = ("location", "storage_class", "force_destroy")


@rule("GCP062", severity=Severity.ERROR, source="The blueprint language: storage.buckets")
def settings_of_existing_bucket(bucket: Bucket, context: Context) -> Iterator[Finding]:
    """An existing bucket has settings that only a created one can have.

    Location, storage class and `force_destroy` are settings of created buckets. For an existing bucket they
    would silently have no effect.

    Add `create: true` to create the bucket, or remove the settings.
    """
    if bucket.create:
        return
    written = [field for field in _OF_CREATED if context.wrote(bucket, field)]
    if written:
        others = tuple(context.at_key(bucket, field, text="and this") for field in written[1:])
        yield Finding(
            f"bucket {bucket.name} exists already, so {' and '.join(written)} would have no effect",
            context.at_key(bucket, written[0]),
            also=others,
            help="add create: true to create the bucket, or remove " + ("them" if others else "it"),
        )
