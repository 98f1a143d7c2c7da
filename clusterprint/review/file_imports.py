"""Imports of files into file systems: markers of Terraform's own, replaced whenever an import runs again."""

from collections.abc import Mapping
from typing import Any

from clusterprint.masking import mask
from clusterprint.review.delta import Delta, Resource, get
from clusterprint.review.machines import Side, linked

_TRIGGERS = "triggers_replace"
_KEYS = frozenset({"instance", "bucket", "path"})
_ADDRESS = "terraform_data.volumes_imports_"


def triggers(resource: Resource) -> Mapping[str, Any]:
    """The purpose of an import; values that are known only after the apply are missing in a plan."""
    found = get(resource.values, _TRIGGERS)
    return found if isinstance(found, Mapping) else {}


def source(resource: Resource) -> str:
    """Where files come from, `gs://my-datasets/a/`, as far as that is known; empty for what is no import."""
    found = triggers(resource)
    bucket, path = found.get("bucket"), found.get("path")
    if not resource.base.startswith(_ADDRESS) or not isinstance(path, str) or not found.keys() <= _KEYS:
        return ""
    known = isinstance(bucket, str) and "${" not in bucket
    return mask(f"gs://{bucket}{path}") if known else mask(f"{path} of a bucket")


def title(resource: Resource) -> str:
    """An import in people's words; empty for what is none."""
    found = source(resource)
    return f"import of {found} into {resource.base.removeprefix(_ADDRESS)}" if found else ""


def reason(delta: Delta) -> str:
    """The message about an import that is removed: the files stay unchanged."""
    return "This deletes no files." if delta.action == "removed" and source(delta.resource) else ""


def target(resource: Resource, side: Side) -> Resource | None:
    """The file system that files are imported into, among the resources of a version."""
    # References of a plan are of the argument as a whole.
    path = next((each for each in (f"{_TRIGGERS}.instance", _TRIGGERS) if each in resource.refers), "")
    return linked(resource, path or f"{_TRIGGERS}.instance", "google_lustre_instance", side)
