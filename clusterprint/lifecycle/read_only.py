"""A world in which Terraform only plans, for read-only accounts.

Plans lock no state. What runs inside of a cluster is planned from the state: a look takes a way into it and
the right to read its secrets, and without that right all releases would appear as new. Terraform writes an
empty state where there is none; such a stack is planned from nothing, without the backend.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from clusterprint.errors import EnvironmentFailure
from clusterprint.lifecycle.gcloud import gcloud
from clusterprint.lifecycle.stack import Stack
from clusterprint.lifecycle.world import World

_OVERRIDE = "clusterprint_override.tf.json"
_NO_BACKEND: Mapping[str, Any] = {"terraform": {"backend": {"local": {}}}}
_MISSING = ("matched no objects", "No URLs matched")
_OPTIONS = "TF_CLI_ARGS_plan"


def read_only(stacks: Sequence[Stack], place: World) -> World:
    """The same world, to read in. Raises EnvironmentFailure if nobody can say which states there are."""
    own = dict(place.own)
    for stack in stacks:
        if not _is_kept(stack, place.environment):
            (stack.folder / _OVERRIDE).write_text(json.dumps(_NO_BACKEND), "utf-8")
        options = "-lock=false -refresh=false" if _is_inside(stack) else "-lock=false"
        folder = str(stack.folder.resolve())
        own[folder] = {**own.get(folder, {}), _OPTIONS: options}
    return place._replace(own=own)


def _is_kept(stack: Stack, environment: Mapping[str, str]) -> bool:
    place = stack.bucket
    address = f"gs://{place.bucket}/{place.prefix}/"
    try:
        found = gcloud(("storage", "ls", "--recursive", address), environment)
    except EnvironmentFailure as failed:
        if any(each in str(failed) for each in _MISSING):
            return False
        raise
    return stack.state.address in found.split()


def _is_inside(stack: Stack) -> bool:
    providers = json.loads((stack.folder / "cdk.tf.json").read_text("utf-8")).get("provider", {})
    return not {"kubernetes", "helm"}.isdisjoint(providers)
