from clusterprint import did_you_mean
from clusterprint.blueprint.gke.pools import NodePool
from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine, tpu_slice, tpu_type_of
from clusterprint.rules.google._machine import has_accelerator
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, rule


@rule("GCP002", severity=Severity.ERROR, firm=True)
def unknown_accelerator_machine(group: MachineGroup, context: Context) -> Iterator[Finding]:
    name = group.machine_type
    if machine(name) or tpu_type_of(name) or not has_accelerator(name):
        return
    yield Finding(
        f"there is no machine type {name}",
        context.at(group, "machine_type"),
        help=did_you_mean.machine_type(name) or "`clusterprint machines` lists the known machine types",
        instead=_slice(group, context) or did_you_mean.only("machine_type", name),
    )


def _slice(group: MachineGroup, context: Context) -> str:
    """The machine type of a TPU slice that a pool is named after, and its topology if that is not written."""
    found, topology = tpu_slice(group.machine_type)
    if not found or not isinstance(group, NodePool):
        return ""
    if given(group.tpu):
        return found if group.tpu.topology == topology else ""
    document, pool = context.document, context.place(group)
    key, start = document.written[*pool, "machine_type"].key, document.written[pool].value
    lines = document.text.splitlines(keepends=True)
    if document.written[pool].file or lines[start.line - 1][start.column - 1] == "{":
        between = ", "
    else:
        line = lines[key.line - 1]
        between = line[len(line.rstrip("\r\n")) :] + " " * (key.column - 1)
    return f"{found}{between}tpu: {{topology: {topology}}}"
