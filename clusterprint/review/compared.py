"""The subject of a report: clusters with their deltas and machines."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from clusterprint.derived.machines import Machines
from clusterprint.document import Document
from clusterprint.review.attribution import Attribution
from clusterprint.review.causes import Reason
from clusterprint.review.delta import Delta, Resource, get
from clusterprint.review.machines import machines_of
from clusterprint.review.model import Check, Place, Status


class Hidden(NamedTuple):
    """Stands for the value of an output that is not shown."""

    state: Literal["unknown", "sensitive"]


class ComparedCluster(NamedTuple):
    """One cluster, before and after.

    `before` and `after` are its blueprints where they are known; `deltas` covers all of its resources,
    also those that do not change. `broken` says why nothing can be said about it, or is empty. `states`
    are stacks whose state is kept elsewhere from now on: name, old and new place. `orphans` are stacks that
    no blueprint asks for any more, and where their state is: Terraform is not run there again, so nothing
    happens to what is in them; `successor` is the cluster that their blueprint asks for instead. `outputs`
    are stack, name, old and new value; `rest` are stacks and other sections of theirs that differ, such as
    required_providers, where no resource and no output does. `upgrades` says what other versions of
    providers do. `manifests` says where each object of a
    manifest is written. `drift` is what changed outside of Terraform, `checks` what did not pass.
    `unguarded`: what protects resources is
    taken off before anything is done.
    """

    name: str
    kind: str
    status: Status
    before: Document | None
    after: Document | None
    stacks: tuple[str, ...]
    deltas: tuple[Delta, ...]
    reasons: tuple[Reason, ...] = ()
    attribution: Attribution = MappingProxyType({})
    states: tuple[tuple[str, str, str], ...] = ()
    orphans: tuple[tuple[str, str], ...] = ()
    successor: str = ""
    broken: str = ""
    outputs: tuple[tuple[str, str, object, object], ...] = ()
    rest: tuple[tuple[str, str], ...] = ()
    upgrades: tuple[str, ...] = ()
    drift: tuple[Delta, ...] = ()
    manifests: Mapping[str, Place] = MappingProxyType({})
    checks: tuple[Check, ...] = ()
    unguarded: bool = False

    @property
    def is_compared(self) -> bool:
        """Whether what happens to it is known: a broken version that stays the same changes nothing."""
        return not self.broken or self.status == "unchanged"

    @property
    def ends(self) -> str:
        """The time after which all machines end by themselves, as the blueprint says; empty without one."""
        if self.after is None or not self.is_compared:
            return ""
        of_nodes = get(self.after.data, "nodes.capacity.max_run_duration") if self.kind == "vm" else None
        told = self.after.data.get("time_to_live") or of_nodes
        return told if isinstance(told, str) else ""

    @property
    def machines_before(self) -> list[Machines]:
        """Machines before the change."""
        return machines_of(self.resources_before)

    @property
    def machines_after(self) -> list[Machines]:
        """Machines after the change."""
        return machines_of(self.resources_after)

    @property
    def resources_before(self) -> list[Resource]:
        """Resources before the change."""
        return [each.before for each in self.deltas if each.before]

    @property
    def resources_after(self) -> list[Resource]:
        """The resources that there will be."""
        gone = ("removed", "forgotten")
        return [each.after for each in self.deltas if each.after and each.action not in gone]
