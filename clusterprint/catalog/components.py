"""Components that are installed inside Kubernetes clusters, and their versions."""

from functools import cache
from typing import Any

import msgspec

from clusterprint.catalog.fact import Fact, read_table


class Component(Fact, frozen=True, kw_only=True):
    """A container image, or a chart: where it lies, and the version that is installed by default.

    `digest` is set where the makers pin one; it wins over the version. `tested` are the first and the last
    version that are known to work with GKE. Without a `location` the blueprint names one.

    A program that runs in clusters has a `namespace`, and brings kinds of objects: `crds` are the names of
    their definitions, by kind. `kubernetes` is the oldest version, such as 1.29, that the pinned version is
    known to work with; empty where its makers say none. `workload` is the field of a blueprint's `workloads`,
    with dots between nested ones, that asks for it, and `asked_beside` another one that does. `values` are
    those of its chart, and `after` names components whose kinds of objects it makes. With `critical` its pods
    have a priority that GKE allows in its namespace only with a quota for them.
    """

    location: str = ""
    version: str = ""
    digest: str = ""
    tested: tuple[str, str] | None = None
    workload: str = ""
    asked_beside: str = ""
    after: tuple[str, ...] = ()
    namespace: str = ""
    crds: dict[str, str] = msgspec.field(default_factory=dict)
    kubernetes: str = ""
    values: dict[str, Any] = msgspec.field(default_factory=dict)
    critical: bool = False

    @property
    def api_groups(self) -> frozenset[str]:
        """The API groups of the kinds that it brings."""
        return frozenset(name.partition(".")[2] for name in self.crds.values())

    def brings(self, group: str, kind: str) -> bool:
        """Whether objects of a kind can be made only where it is installed."""
        return self.crds.get(kind, "").partition(".")[2] == group != ""

    @property
    def image(self) -> str:
        """The component as a container image."""
        tag = f":{self.version}" if self.version else ""
        digest = f"@{self.digest}" if self.digest else ""
        return f"{self.location}{tag}{digest}"


@cache
def components() -> dict[str, Component]:
    """All components by name."""
    return read_table("kubernetes/components", dict[str, Component])


def component(name: str) -> Component:
    """The component of a name; KeyError for any other."""
    return components()[name]
