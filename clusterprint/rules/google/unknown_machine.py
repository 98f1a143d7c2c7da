from clusterprint import did_you_mean
from clusterprint.blueprint.machines import MachineGroup
from clusterprint.catalog import machine
from clusterprint.rules.google._machine import has_accelerator
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP003", severity=Severity.WARNING, source="gcloud: compute machine-types list")
def unknown_machine(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """The machine type is not in the catalog.

    It may be newer than the catalog, or a typing mistake that Google would only refuse during deployment.
    Nothing else about these machines can be checked.

    Correct the name, or ignore this warning if the type exists.
    """
    name = group.machine_type
    if machine(name) or has_accelerator(name):
        return
    yield Finding(
        f"machine type {name} is not in the catalog",
        context.at(group, "machine_type"),
        help=did_you_mean.machine_type(name) or "`clusterprint machines` lists the known machine types",
        instead=did_you_mean.only("machine_type", name),
    )
