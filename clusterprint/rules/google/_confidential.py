"""Memory that is encrypted by what the processors of machines have."""

from clusterprint import catalog
from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.kit import Context, Finding, Iterator, given, listed


def confidential_elsewhere(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """A group whose machine type does not have what its memory is to be encrypted by."""
    if not given(group.confidential) or catalog.has_confidential(group.machine_type, group.confidential):
        return
    able = listed(catalog.confidential_machines(group.confidential), "or")
    yield Finding(
        f"{group.machine_type} is not known to support {group.confidential}",
        context.at(group, "machine_type"),
        also=(context.at(group, "confidential", text="set here"),),
        help=f"use {able}, or remove confidential",
    )
