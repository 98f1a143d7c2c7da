from itertools import islice

from clusterprint.blueprint.storage import Storage
from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import volumes
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("VM172", severity=Severity.ERROR, source="DAOS: configuration of the agent", firm=True)
def second_parallelstore(storage: Storage, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """Nodes mount more than one Parallelstore.

    The client of Parallelstore finds its servers through one agent on the node, which supports one instance.

    Create one that is as large as both, or use `lustre`, of which nodes can mount several.
    """
    found = [
        each
        for each, kind in known(volumes.volumes(storage), lambda one: one.kind)
        if kind == "parallelstore"
    ]
    for each in islice(found, 1, None):
        yield Finding(
            f"a node can mount only one Parallelstore, and {each.name} is another",
            context.at(each, "name"),
            also=(context.at(found[0], "name", text="the first one"),),
            help="create one that is as large as both, or use kind: lustre",
        )
