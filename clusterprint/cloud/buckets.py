"""The bucket that Terraform's state is in: what it should be, what a real one lacks, how it is made."""

from collections.abc import Iterator
from shlex import join
from typing import Any, NamedTuple

from clusterprint.cloud.google import Google, path

#: Deleted and overwritten states can be had back for so long, at least: seven days are Google's own default.
_SOFT_DELETE_SECONDS = 7 * 24 * 3600
_LABEL = "clusterprint"


class StateBucket(NamedTuple):
    """A bucket as it is asked for. `labels` are the blueprint's, `kms_key` is empty for Google's keys."""

    name: str
    project: str
    location: str
    labels: dict[str, str]
    kms_key: str = ""

    @property
    def key_location(self) -> str:
        """Where a key for it has to be: only of the European Union the names differ."""
        location = self.location.lower()
        return "europe" if location == "eu" else location

    @property
    def grant(self) -> str:
        """The command that lets Cloud Storage use the key in this project."""
        options = (f"--project={self.project}", f"--authorize-cmek={self.kms_key}")
        return join(["gcloud", "storage", "service-agent", *options])


class Weakness(NamedTuple):
    """A missing property of a bucket, why it matters, and the option of gcloud that sets it.

    `change` is the same for the API.
    """

    what: str
    why: str
    option: str
    change: dict[str, Any]

    def command(self, bucket: str) -> str:
        """How to fix it by hand."""
        return join(["gcloud", "storage", "buckets", "update", f"gs://{bucket}", self.option])


def look(google: Google, name: str) -> dict[str, Any]:
    """The bucket as it is. Raises Refused and Unanswered."""
    found: dict[str, Any] = google.get("storage", f"storage/v1/{path('b', name)}", projection="noAcl")
    return found


def weaknesses(bucket: dict[str, Any], kms_key: str = "") -> Iterator[Weakness]:
    """The properties that a bucket lacks to keep the state of clusters, encrypted with `kms_key` if given."""
    if kms_key and bucket.get("encryption", {}).get("defaultKmsKeyName") != kms_key:
        yield Weakness(
            f"{kms_key} is not its default key",
            "states that are written next are encrypted with another key",
            f"--default-encryption-key={kms_key}",
            {"encryption": {"defaultKmsKeyName": kms_key}},
        )
    iam = bucket.get("iamConfiguration", {})
    if not iam.get("uniformBucketLevelAccess", {}).get("enabled"):
        yield Weakness(
            "access is not uniform",
            "single objects can be opened by access lists that IAM does not show",
            "--uniform-bucket-level-access",
            {"iamConfiguration": {"uniformBucketLevelAccess": {"enabled": True}}},
        )
    if iam.get("publicAccessPrevention") != "enforced":
        yield Weakness(
            "public access is not prevented",
            "one binding can show the state, and the secrets in it, to everybody",
            "--public-access-prevention",
            {"iamConfiguration": {"publicAccessPrevention": "enforced"}},
        )
    if not bucket.get("versioning", {}).get("enabled"):
        yield Weakness(
            "versioning is off",
            "a state that is overwritten or damaged cannot be restored",
            "--versioning",
            {"versioning": {"enabled": True}},
        )
    if int(bucket.get("softDeletePolicy", {}).get("retentionDurationSeconds", 0)) < _SOFT_DELETE_SECONDS:
        yield Weakness(
            "soft delete keeps what is deleted for less than 7 days",
            "emptying the bucket by mistake would lose the state of all clusters",
            "--soft-delete-duration=7d",
            {"softDeletePolicy": {"retentionDurationSeconds": _SOFT_DELETE_SECONDS}},
        )


def asked(bucket: StateBucket) -> dict[str, Any]:
    """The bucket as the API takes it."""
    return {
        "name": bucket.name,
        "location": bucket.location,
        "labels": {**bucket.labels, _LABEL: "state"},
        "iamConfiguration": {
            "uniformBucketLevelAccess": {"enabled": True},
            "publicAccessPrevention": "enforced",
        },
        "versioning": {"enabled": True},
        "softDeletePolicy": {"retentionDurationSeconds": _SOFT_DELETE_SECONDS},
    } | ({"encryption": {"defaultKmsKeyName": bucket.kms_key}} if bucket.kms_key else {})


def make(google: Google, bucket: StateBucket) -> None:
    """Make the bucket. Raises Refused and Unanswered."""
    google.post("storage", "storage/v1/b", asked(bucket), project=bucket.project)


def fix(google: Google, name: str, found: list[Weakness]) -> None:
    """Take away the weaknesses of a bucket. Raises Refused and Unanswered."""
    body: dict[str, Any] = {}
    for each in found:
        for key, change in each.change.items():
            body[key] = {**body.get(key, {}), **change}
    google.patch("storage", f"storage/v1/{path('b', name)}", body)


def commands(bucket: StateBucket) -> list[str]:
    """How the same is made by hand."""
    labels = ",".join(f"{key}={value}" for key, value in {**bucket.labels, _LABEL: "state"}.items())
    url = f"gs://{bucket.name}"
    create = [
        *("gcloud", "storage", "buckets", "create", url, f"--project={bucket.project}"),
        *(f"--location={bucket.location}", "--uniform-bucket-level-access", "--public-access-prevention"),
        "--soft-delete-duration=7d",
        *([f"--default-encryption-key={bucket.kms_key}"] if bucket.kms_key else []),
    ]
    # versioning and labels can be set on a bucket that is there only
    update = ["gcloud", "storage", "buckets", "update", url, "--versioning", f"--update-labels={labels}"]
    return [*([bucket.grant] if bucket.kms_key else []), join(create), join(update)]
