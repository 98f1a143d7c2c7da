"""The destroy plan of a stack, made first so that people see what they agree to."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from clusterprint.errors import ClusterprintError, EnvironmentFailure
from clusterprint.lifecycle.inventory import Guarded, Inventory, guarded_in
from clusterprint.lifecycle.plan_review import changes
from clusterprint.lifecycle.protected import TWO_WORDS
from clusterprint.lifecycle.session import Session
from clusterprint.lifecycle.terraform import Terraform
from clusterprint.lifecycle.up import Changes


class Losing(NamedTuple):
    """The deletions of one stack: its inventory, the resources that stay, and the destroy plan.

    `gone` is what only the state still knows, where that is all that is left of it.
    """

    inventory: Inventory
    kept: frozenset[str]
    document: Mapping[str, Any]
    changes: Changes
    gone: tuple[str, ...]


class DataInside(ClusterprintError):  # noqa: N818 - it is no mistake
    """Data inside of a cluster goes with the cluster."""


def plan_loss(session: Session, terraform: Terraform, inventory: Inventory, *, include_data: bool) -> Losing:
    """Plan what one stack loses; nothing is destroyed yet.

    Raises DataInside for data that cannot be kept, EnvironmentFailure for what the cloud itself protects.
    """
    data = () if include_data else inventory.data
    inside = [each for each in data if each.is_inside]
    if inside:
        raise DataInside(
            f"{', '.join(each.address for each in inside)} holds data that goes with the cluster: "
            "save it, and add --include-data"
        )
    kept = inventory.kept_for(data)
    session.display.begin(terraform.place.stack.name, "planning what is lost")
    moves = session.persisting(
        terraform, lambda: plan_destroy(session, terraform, inventory, kept), lambda: True
    )
    document = terraform.planned() if moves else {}
    if guarded := guarded_in(document):
        raise EnvironmentFailure("\n".join(map(_how_to_unguard, guarded)))
    going = tuple(each.address for each in inventory.resources if each.address not in kept)
    return Losing(inventory, kept, document, changes(document), () if moves else going)


def _how_to_unguard(guarded: Guarded) -> str:
    """How to end a protection that no state can end."""
    ways = f"run {guarded.command}"
    if guarded.is_volume:
        ways = f"say {TWO_WORDS}, and run clusterprint up; or {ways}"
    return f"{guarded.address} is protected in the cloud itself: {ways}; then run the same command again"


def plan_destroy(session: Session, terraform: Terraform, inventory: Inventory, kept: frozenset[str]) -> bool:
    """Plan to destroy what an inventory holds but for what is kept; whether there is anything to destroy."""
    going = [each.address for each in inventory.resources if each.address not in kept]
    if not going:
        return False
    return terraform.plan(
        "-destroy",
        *(f"-target={address}" for address in going if kept),
        heard=lambda event: session.display.heard(terraform.place.stack.name, event),
    )
