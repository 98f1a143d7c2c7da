"""How pods on GKE use the networks between nodes: what of a node they see, and what gets there first."""

from functools import cache

import msgspec

from clusterprint.catalog.fact import Fact, read_table
from clusterprint.catalog.networks import NetworkLayout


class Profile(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A script that a shell sources before the program, with the variables that it wants to know."""

    script: str
    environment: dict[str, str] = {}


class Daemon(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A receiver container that runs beside a program and gets `devices` of the node.

    It runs `command`, or the script of ours of this name. `mounts` are volumes of the pod: name -> path.
    On machines without Kubernetes it runs `command`, or with `arguments` what its image starts.
    """

    command: tuple[str, ...] = ()
    script: str = ""
    arguments: tuple[str, ...] = ()
    environment: dict[str, str]
    capabilities: tuple[str, ...]
    mounts: dict[str, str]
    devices: tuple[str, ...]


class Install(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the plug-in gets onto a node: by a script of ours in the makers' image.

    `folders` are folders of the node by volume, `mounts` where the script sees them. `prepare` is a script
    that the node itself runs before; it may be empty.
    """

    folders: dict[str, str]
    mounts: dict[str, str]
    script: str
    prepare: str = ""


class Beside(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A second program in the same pod: a script of ours in the image of a component, with node folders."""

    component: str
    script: str
    folders: dict[str, str]


class Interfaces(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The program that sets up the interfaces of a node before pods claim them, and maintains them.

    It is a script of ours in the image of a component, which answers by HTTP when all is well. `folders` are
    folders of the node by volume, which it sees at the same place; it needs large pages of 2 MiB.
    """

    component: str
    script: str
    environment: dict[str, str]
    folders: dict[str, str]
    huge_pages_mib: int
    memory_mib: int
    health_path: str
    health_port: int
    beside: Beside


class Fabric(Fact, frozen=True, kw_only=True):
    """One kind of network between nodes; `fabric` is what the table of machines calls it.

    `folders` is what a pod sees of its node, path by volume, and `mounts` where its program sees it.
    `processes` is the variable that tells a program of MPI how many processes it has, empty for none. Without
    `install` there is no plug-in; `pairs` are its versions, each with those of the daemon that go with it, as
    far as they are known.
    """

    fabric: str
    folders: dict[str, str] = {}  # noqa: RUF012 - msgspec copies it
    mounts: dict[str, str] = {}  # noqa: RUF012 - msgspec copies it
    environment: dict[str, str]
    processes: str = ""
    capabilities: tuple[str, ...] = ()
    profile: Profile | None = None
    daemon: Daemon | None = None
    install: Install | None = None
    interfaces: Interfaces | None = None
    pairs: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)


@cache
def fabrics() -> dict[str, Fabric]:
    """All kinds by name, which is also the middle of the names of their components (`nccl-<name>`)."""
    return read_table("kubernetes/fabrics", dict[str, Fabric])


def fabric_of(layout: NetworkLayout) -> tuple[str, Fabric] | None:
    """Find a kind, with its name: the one that is named as the layout, or for all with such networks."""
    own = fabrics().get(layout.key)
    if own:
        return layout.key, own
    return next((pair for pair in fabrics().items() if pair[1].fabric == layout.fabric), None)
