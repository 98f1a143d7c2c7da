from collections.abc import Iterator
from itertools import islice

from clusterprint.blueprint.storage import Storage
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import volumes
from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known
from clusterprint.rules.context import Context
from clusterprint.rules.rule import Finding, rule


@rule("VM172", severity=Severity.ERROR, source="DAOS: configuration of the agent", firm=True)
def second_parallelstore(storage: Storage, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Nodes are to mount more than one Parallelstore.

    The client of Parallelstore finds its servers through one agent on the node, which knows one instance.

    Make one that is as large as both, or take `lustre`, of which nodes mount several.
    """
    found = [
        each
        for each, kind in known(volumes.volumes(storage), lambda one: one.kind)
        if kind == "parallelstore"
    ]
    for each in islice(found, 1, None):
        yield Finding(
            f"a node mounts one Parallelstore, and {each.name} would be another",
            context.at(each, "name"),
            also=(context.at(found[0], "name", text="the first one"),),
            help="make one that is as large as both, or take kind: lustre",
        )
