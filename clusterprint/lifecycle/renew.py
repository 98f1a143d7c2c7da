"""`up --renew`: requests for machines that Terraform replaces, because those that they brought are gone."""

import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from clusterprint.lifecycle.stack import Stack

_REQUEST = "google_compute_resize_request"

#: Addresses of requests to replace, by the name of the stack.
Renewed = Mapping[str, Sequence[str]]


def addresses(stack: Stack, ended: Collection[tuple[str, str]]) -> list[str]:
    """Addresses of the requests in a stack that have a name and a zone among the ended ones."""
    document = json.loads((stack.folder / "cdk.tf.json").read_bytes())
    requests = document.get("resource", {}).get(_REQUEST, {})
    return [
        f"{_REQUEST}.{key}"
        for key, values in requests.items()
        if (values.get("name"), values.get("zone")) in ended
    ]


def options(replaced: Sequence[str]) -> list[str]:
    """Options of `terraform plan`."""
    return [f"-replace={each}" for each in replaced]


def unreplaced(replaced: Sequence[str], plan: Mapping[str, Any], state: Mapping[str, Any]) -> list[str]:
    """Addresses that an apply of `plan` has not replaced, by the state after it: they are as they were."""
    before = {
        each.get("address"): each.get("change", {}).get("before") for each in plan.get("resource_changes", ())
    }
    now = {
        f"{each.get('type')}.{each.get('name')}": one.get("attributes")
        for each in state.get("resources", ())
        for one in each.get("instances", ())
    }
    return [each for each in replaced if before.get(each) is not None and before[each] == now.get(each)]
