from clusterprint.blueprint.storage import VmBucket
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("VM094", severity=Severity.WARNING, source="Cloud Storage FUSE: profiles")
def profile_without_mount(bucket: VmBucket, context: Context) -> Iterator[Finding]:
    """A bucket has a profile, but it is not mounted.

    The profile sets the caches of Cloud Storage FUSE, which mounts buckets. It has no effect on programs that
    use the bucket by its name.

    Add a `mount`, or remove `profile`.
    """
    if given(bucket.profile) and not given(bucket.mount):
        yield Finding(
            f"profile {bucket.profile} does nothing: bucket {bucket.name} is not mounted",
            context.at(bucket, "profile"),
            help=f"add mount: /mnt/{bucket.name}, or remove profile",
        )
