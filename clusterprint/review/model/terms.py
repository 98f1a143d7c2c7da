"""The words of a report: what can happen, how bad it is, what things belong to."""

from typing import Literal

from clusterprint.catalog import CapacityModel

#: What happens to a resource. `replaced` is destroyed and created anew, `moved` only gets another
#: address in the state, `forgotten` leaves the state but stays in the cloud, `imported` enters the state.
Action = Literal["added", "changed", "removed", "replaced", "moved", "forgotten", "imported"]

#: What happens to something that is shown whether it changes or not. `orphaned` is a cluster that no
#: blueprint asks for any more: nothing happens to it, and nothing looks after it.
Status = Literal["added", "changed", "removed", "replaced", "moved", "orphaned", "unchanged"]

#: How much it matters, worst first.
Severity = Literal["critical", "high", "medium", "low"]

#: What sort of harm, worst first.
RiskSort = Literal[
    "data_loss",
    "cluster_replacement",
    "pool_replacement",
    "downtime",
    "exposure",
    "protection",
    "quota",
    "state",
    "drift",
    "check",
    "uncertain",
]

Level = Literal["nothing", "problems", "allowed", "forbidden"]


def in_words(model: CapacityModel) -> str:
    """A capacity model as people write it: `on-demand`."""
    return model.replace("_", "-")
