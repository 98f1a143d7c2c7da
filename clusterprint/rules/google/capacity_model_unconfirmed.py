from collections.abc import Iterator

from clusterprint.blueprint.machines import MachineGroup
from clusterprint.diagnostic import Severity
from clusterprint.rules.context import Context
from clusterprint.rules.google._capacity import (
    help_for,
    is_sold,
    model_label,
    names_other_reservation,
    offered,
)
from clusterprint.rules.rule import Finding, rule


@rule("GCP011", severity=Severity.WARNING, source="Google Cloud: accelerator-optimized machine family")
def capacity_model_unconfirmed(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """It is not known whether the machine type is available under the capacity model.

    The public sources do not say, or contradict each other; Google may refuse the machines when the
    group is created.

    Write one of the capacity models in the help, or ignore this warning if you know better.
    """
    found = offered(group)
    model = group.capacity.model
    if found is None or names_other_reservation(group) or is_sold(found, model) is not None:
        return
    written = context.wrote(group.capacity, "model")
    yield Finding(
        f"{group.machine_type} is not known to be available under capacity model {model}"
        + ("" if written else " (the default)"),
        model_label(group, context),
        also=(context.at(group, "machine_type", text="the machine type"),) if written else (),
        help=help_for(found),
    )
