"""Whether the state bucket exists, with the right settings."""

from clusterprint.cloud.answers import Refused
from clusterprint.cloud.buckets import look, weaknesses
from clusterprint.cloud.google import Google
from clusterprint.doctor.finding import Finding, Findings


def state(google: Google, bucket: str, file: str) -> Findings:
    """The bucket that a blueprint names for its state."""
    place = f"bucket {bucket}"
    try:
        found = look(google, bucket)
    except Refused as error:
        if not error.is_missing:
            raise
        fix = f"clusterprint init state {file}"
        yield Finding(
            place, "state", "lacks", "there is no such bucket, and Terraform does not create it", fix
        )
        return
    weak = list(weaknesses(found))
    for each in weak:
        yield Finding(place, "state", "lacks", f"{each.what}: {each.why}", each.command(bucket))
    if not weak:
        yield Finding(place, "state", "ok", f"the bucket exists, in {found.get('location', '')}, and safe")
