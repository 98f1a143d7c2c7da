"""Prepares Python and Node for imports of cdktf and of provider bindings."""

import atexit
import os
import sys
from collections.abc import Callable

from clusterprint.bindings.importing import Finder
from clusterprint.bindings.installed import engine
from clusterprint.bindings.node import Node, configure
from clusterprint.bindings.requests import remember_paths, send_ahead
from clusterprint.errors import EnvironmentFailure

_node: Node | None = None


def prepare() -> None:
    """Make cdktf and provider bindings ready to be imported; call it before the first such import.

    Calling it again does nothing. Raises what `engine` raises, and EnvironmentFailure when there is no Node.
    """
    global _node  # noqa: PLW0603 -- jsii has one kernel per process, and so one Node
    if _node is not None:
        return
    chosen = engine()
    configure()
    import jsii

    send_ahead()
    remember_paths()
    _node = Node(jsii.kernel)
    atexit.register(stop_node)
    setattr(jsii.kernel, "load", _waiting(_node, jsii.kernel.load))  # noqa: B010 -- mypy refuses the plain way
    sys.meta_path.insert(0, Finder(chosen))


def stop_node() -> None:
    """End the Node that `prepare` has started, and wait for its end."""
    if _node is not None:
        _node.stop()


def _waiting(node: Node, load: Callable[[str, str, str], None]) -> Callable[[str, str, str], None]:
    """The kernel's `load`, which waits for Node, and raises EnvironmentFailure with what helps."""

    def load_or_say(name: str, version: str, tarball: str) -> None:
        node.wait()
        try:
            load(name, version, tarball)
        except Exception as failure:
            unpacked = os.environ.get("JSII_RUNTIME_PACKAGE_CACHE_ROOT")
            remedy = f"remove {unpacked}, which is made again" if unpacked else "install clusterprint again"
            message = f"Node cannot load {name} {version}: {failure}; {remedy}"
            raise EnvironmentFailure(message) from failure

    return load_or_say
