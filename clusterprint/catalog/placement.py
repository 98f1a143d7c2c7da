"""Placement policies: how close machines can be, and how many of them."""

from functools import cache
from typing import Literal

import msgspec

from clusterprint.capacity_models import CapacityModel
from clusterprint.catalog.fact import Fact, read_table


class WorkloadPolicy(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a machine type can be placed by a workload policy (type HIGH_THROUGHPUT).

    `models` are the capacity models it may be used with; `required` says that the machine type cannot
    be had without. `accelerator_topology` is set where the policy must name one. `max_group_size` is
    the number of machines that fit into one topology, that is, into one managed instance group.
    With `on_request` machines get such a policy only where a blueprint asks for one.
    """

    models: tuple[CapacityModel, ...]
    required: bool = False
    on_request: bool = False
    accelerator_topology: str = ""
    max_group_size: int | None = None


class Placement(Fact, frozen=True, kw_only=True):
    """Facts about placement policies that hold for more than one machine type.

    Which machine types take a compact placement or a workload policy is said by `Machine`.

    `max_vms` maps a largest distance (`1`, `2`, `3`, or `any` for none given) to the number of machines
    one policy places; `max_vms_a3` holds the exceptions of the A3 series. On A3, `a3_refused_distances`
    are refused and the others need an allow-list entry if `a3_needs_allow_list`.
    `flex_start_with_compact` are the series that combine the two. `topology_distances` maps the words
    of a blueprint to those of a workload policy.
    """

    max_vms: dict[Literal["1", "2", "3", "any"], int]
    max_vms_a3: dict[Literal["1", "2", "3", "any"], int]
    a3_refused_distances: tuple[int, ...]
    a3_needs_allow_list: bool
    flex_start_with_compact: tuple[str, ...]
    topology_distances: dict[Literal["subblock", "block", "cluster"], str]

    def most_vms(self, series: str, max_distance: Literal["1", "2", "3", "any"] = "any") -> int:
        """How many machines of a series one policy places at a largest distance."""
        exceptions = self.max_vms_a3 if series.startswith("a3-") else {}
        return exceptions.get(max_distance, self.max_vms[max_distance])


@cache
def placement() -> Placement:
    """The facts about placement policies."""
    return read_table("google/placement", Placement)
