"""Groups of machines that the cloud had no capacity for, read off the failures of a run."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from clusterprint.derived import state_names
from clusterprint.document import Document
from clusterprint.lifecycle.failures import TerraformFailed, explain
from clusterprint.lifecycle.session import Broken
from clusterprint.validate import Validated
from clusterprint.wishes import Group, groups

#: The failures that another wish for capacity can help with.
FAILURES = ("stock-out", "quota", "reservation missing")


class Lacking(NamedTuple):
    """A group without capacity: its blueprint, and the failure in one word."""

    document: Document
    group: Group
    why: str


def lacking(results: Sequence[Validated], broken: Sequence[Broken], *, alone: bool = False) -> list[Lacking]:
    """The groups with fallbacks that lack capacity; none if anything else failed, too.

    With `alone`, also groups without fallbacks.
    """
    found: dict[tuple[str, str], Lacking] = {}
    for each in broken:
        result = next((one for one in results if each.stack in _stacks(one)), None)
        if result is None or not isinstance(each.failed, TerraformFailed):
            return []
        known = groups(result.document, alone=alone)
        for error, address in zip(each.failed.errors, each.failed.addresses, strict=True):
            why = explain(error).name
            group = next(_groups_of(known, address), None)
            if group is None or why not in FAILURES:
                return []
            found[result.document.file, group.name] = Lacking(result.document, group, why)
    return list(found.values())


def _stacks(result: Validated) -> Sequence[str]:
    blueprint = result.blueprint
    return () if blueprint is None else tuple(state_names.stacks(blueprint.kind, blueprint.name))


def _groups_of(known: Sequence[Group], address: str) -> Iterator[Group]:
    """The groups whose machines a resource makes, by its address; the exact name first."""
    type_, _, rest = address.partition(".")
    name = rest.partition("[")[0]
    if type_.endswith("_virtual_machine_scale_set"):
        yield from known
    for each in known:
        alone = each.place == ("nodes",) and name.startswith("nodes_group")
        if alone or name.startswith(f"nodes-{each.name}_") or name == f"pool-{each.name}":
            yield each
    for each in known:  # the slices of a pool of TPUs
        if re.fullmatch(rf"pool-{re.escape(each.name)}-\d+", name):
            yield each
