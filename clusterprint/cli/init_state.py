"""`clusterprint init state`: the bucket for Terraform's state."""

import re
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clusterprint.access.command import Command, execute, read
from clusterprint.cli import cluster_access, cluster_arguments, lifecycle
from clusterprint.cli.output import say
from clusterprint.errors import EnvironmentFailure, UsageError

if TYPE_CHECKING:
    from clusterprint.cloud.buckets import StateBucket, Weakness
    from clusterprint.cloud.google import Google

_FORBIDDEN = 403
_TAKEN = 409
_NOT_OF_LABELS = re.compile(r"[^a-z0-9_-]")


@click.command("state")
@cluster_arguments.some
@click.option("--location", help="Where the bucket is created. [default: the region of the blueprint]")
@click.option(
    "--project", metavar="ID", help="Project that it is created in. [default: that of the blueprint]"
)
@click.option("--kms-key", metavar="KEY", help="Cloud KMS key, by its full name, that encrypts the state.")
@click.option("--fix", is_flag=True, help="Correct the settings of an existing bucket.")
@click.option("--print", "only_print", is_flag=True, help="Print the commands of gcloud instead.")
@lifecycle.SIMULATE
def state(  # noqa: PLR0913 - click passes options
    paths: tuple[Path, ...],
    *,
    location: str | None,
    project: str | None,
    kms_key: str | None,
    fix: bool,
    only_print: bool,
    simulate: Path | None,
) -> None:
    """Create or check the state bucket.

    It is the one that blueprints name. A new one has uniform access, public access prevention, versioning,
    soft delete and the labels of the blueprint. An existing one is only changed with --fix. Exit codes: 0 the
    bucket exists with the right settings, 1 its settings are wrong or a blueprint has problems, 3 it could
    not be checked or created.
    """
    asked = (asked_for(data, location, project, kms_key) for data in _clean(paths))
    buckets = {each.name: each for each in asked}.values()
    if only_print:
        from clusterprint.cloud.buckets import commands

        say(
            "\n".join(
                line for bucket in {each.name: each for each in buckets}.values() for line in commands(bucket)
            )
        )
        return
    if simulate is not None:
        _simulated(buckets, simulate)
        return
    from clusterprint.cloud.google import Google

    google, weak = Google(), 0
    for bucket in buckets:
        weak += not settled(google, bucket, fix=fix)
    sys.exit(1 if weak else 0)


def _simulated(buckets: "Iterable[StateBucket]", simulate: Path) -> None:
    """Make the buckets that a simulated cloud does not have; there, none has wrong settings."""
    from clusterprint.cloud.buckets import commands

    with cluster_access.programs(simulate) as environment:
        for bucket in buckets:
            look = Command(("gcloud", "storage", "buckets", "describe", f"gs://{bucket.name}"))
            if not execute(look, environment).returncode:
                say(f"gs://{bucket.name} exists in the simulated cloud")
                continue
            for each in commands(bucket):
                done = execute(read(each), environment)
                if done.returncode:
                    raise EnvironmentFailure(f"{each} failed: {done.stderr.strip()}")
            say(f"created gs://{bucket.name} in {bucket.location} of the simulated cloud")


def _clean(paths: tuple[Path, ...]) -> list[Mapping[str, Any]]:
    examined = cluster_arguments.sound(paths, "no bucket is created: the blueprints have problems")
    return [each.document.data for each in examined.results]


def asked_for(
    data: Mapping[str, Any],
    location: str | None = None,
    project: str | None = None,
    kms_key: str | None = None,
) -> "StateBucket":
    """The bucket that a blueprint names. Raises UsageError."""
    from clusterprint.cloud.buckets import StateBucket

    place, owner = location or str(data.get("region") or ""), project or str(data.get("project") or "")
    missing = [flag for flag, value in (("--location", place), ("--project", owner)) if not value]
    if missing:
        raise UsageError(
            f"{data['name']} names nothing of Google Cloud but its bucket: add {' and '.join(missing)}"
        )
    labels = {_label(key): _label(value) for key, value in (data.get("labels") or {}).items()}
    bucket = StateBucket(str(data["backend"]["gcs"]["bucket"]), owner, place, labels, kms_key or "")
    if kms_key:
        _check_key(bucket)
    return bucket


def _check_key(bucket: "StateBucket") -> None:
    import msgspec

    from clusterprint.blueprint.texts import KmsKey

    try:
        msgspec.convert(bucket.kms_key, KmsKey)
    except msgspec.ValidationError as error:
        raise UsageError(
            f"--kms-key {bucket.kms_key} is not the full name of a key in Cloud KMS: "
            "projects/P/locations/L/keyRings/R/cryptoKeys/K"
        ) from error
    found, wanted = bucket.kms_key.split("/")[3], bucket.key_location
    if found != wanted:
        raise UsageError(
            f"--kms-key is in {found}, but gs://{bucket.name} is in {bucket.location}: "
            f"name a key of a key ring in {wanted}"
        )


def _label(text: object) -> str:
    return _NOT_OF_LABELS.sub("-", str(text).lower())[:63]


def settled(google: "Google", bucket: "StateBucket", *, fix: bool) -> bool:
    """Make a bucket or look at it; whether it is as it should be."""
    from clusterprint.cloud import buckets
    from clusterprint.cloud.answers import Refused, Unanswered

    try:
        try:
            found = list(buckets.weaknesses(buckets.look(google, bucket.name), bucket.kms_key))
        except Refused as error:
            if not error.is_missing:
                raise
            buckets.make(google, bucket)
            say(
                f"created gs://{bucket.name} in {bucket.location}: "
                "uniform access, no public access, versioning, soft delete"
            )
            return True
        return _adopted(google, bucket, found, fix=fix)
    except Unanswered as error:
        raise EnvironmentFailure(
            f"gs://{bucket.name}: {error}; --print shows how to create it by hand"
        ) from error
    except Refused as error:
        if bucket.kms_key and "kms" in str(error).lower():
            raise EnvironmentFailure(
                f"gs://{bucket.name}: {error}; to let Cloud Storage use the key: {bucket.grant}"
            ) from error
        if error.status in {_FORBIDDEN, _TAKEN}:
            raise EnvironmentFailure(
                f"gs://{bucket.name} belongs to somebody else, or you may not see it: {error}; "
                "names of buckets are globally unique"
            ) from error
        raise EnvironmentFailure(f"gs://{bucket.name}: {error}") from error


def _adopted(google: "Google", bucket: "StateBucket", found: "list[Weakness]", *, fix: bool) -> bool:
    from clusterprint.cloud import buckets

    if not found:
        say(f"gs://{bucket.name} exists, and is as it should be")
        return True
    for each in found:
        say(f"gs://{bucket.name}: {each.what}: {each.why}")
        if not fix:
            say(f"  {each.command(bucket.name)}")
    if fix:
        buckets.fix(google, bucket.name, found)
        say(f"changed gs://{bucket.name}: all of that is fixed")
        return True
    say("--fix corrects all of that")
    return False
