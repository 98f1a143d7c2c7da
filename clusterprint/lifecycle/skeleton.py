"""A stack without resources, with which Terraform destroys what its state holds.

Destroying needs a state, not a blueprint: later changes of the blueprint cannot interfere, no
`prevent_destroy` is left, and where the blueprint is gone, none is needed. Protections that only Terraform
knows are removed in the state, where providers look for them.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from clusterprint.lifecycle.stack import Stack

_FILE = "cdk.tf.json"
# Providers of resources inside a cluster: without the cluster, they cannot even be configured.
_INSIDE = ("kubernetes", "helm")
# Where providers find a cluster: in the state of the stack that makes it, or at Google.
_LOOKED_UP = ("terraform_remote_state", "google_container_cluster")


@contextmanager
def skeletons(stacks: list[Stack]) -> Iterator[list[Stack]]:
    """The same stacks without their resources, in folders that last as long as the caller needs them."""
    with TemporaryDirectory(prefix="clusterprint-") as folder:
        yield [_skeleton(each, Path(folder) / each.name) for each in stacks]


def _skeleton(stack: Stack, folder: Path) -> Stack:
    document = json.loads((stack.folder / _FILE).read_text("utf-8"))
    return write_skeleton(stack, folder, document)


def write_skeleton(stack: Stack, folder: Path, document: Mapping[str, Any]) -> Stack:
    """A folder with what a stack says of its state, its providers, and where those are found."""
    # An empty map of providers is one that Terraform refuses.
    kept = {name: document[name] for name in ("terraform", "provider") if document.get(name)}
    data = {kind: found for kind in _LOOKED_UP if (found := document.get("data", {}).get(kind))}
    if data:
        kept["data"] = {kind: _without_conditions(found) for kind, found in data.items()}
    folder.mkdir(parents=True)
    (folder / _FILE).write_text(json.dumps(kept, indent=2, sort_keys=True), "utf-8")
    return stack._replace(folder=folder)


def _without_conditions(data: Mapping[str, Any]) -> dict[str, Any]:
    """Data sources, without their conditions: a cluster to destroy does not have to meet them."""
    return {
        name: {key: value for key, value in each.items() if key != "lifecycle"} for name, each in data.items()
    }


def without_inside(folder: Path) -> None:
    """Leave out the providers of resources inside a deleted cluster."""
    file = folder / _FILE
    document = json.loads(file.read_text("utf-8"))
    document.pop("data", None)
    required = document["terraform"]["required_providers"]
    providers = document.pop("provider", {})
    for name in _INSIDE:
        providers.pop(name, None)
        required.pop(name, None)
    if providers:
        document["provider"] = providers
    file.write_text(json.dumps(document, indent=2, sort_keys=True), "utf-8")
