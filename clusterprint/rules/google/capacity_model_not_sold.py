from clusterprint.blueprint.machines import MachineGroup
from clusterprint.rules.google._capacity import findings
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP010", severity=Severity.ERROR, source="Google Cloud: accelerator-optimized machine family")
def capacity_model_not_sold(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """The machine type is not available under the capacity model.

    The newest accelerators are never available on demand, small A3 machines cannot be reserved, and A4X comes
    from reservations only. Google refuses such machines when the group is created.

    Write one of the capacity models in the help, or choose another machine type.
    """
    yield from findings(group, context, sold=False, words="is not available")


@rule("GCP011", severity=Severity.WARNING, source="Google Cloud: accelerator-optimized machine family")
def capacity_model_unconfirmed(group: MachineGroup, context: Context) -> Iterator[Finding]:
    """It is not known whether the machine type is available under the capacity model.

    The public sources do not say, or contradict each other; Google may refuse the machines when the
    group is created.

    Write one of the capacity models in the help, or ignore this warning if you know better.
    """
    yield from findings(group, context, sold=None, words="is not known to be available")
