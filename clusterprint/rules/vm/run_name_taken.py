from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.blueprint.vm_bootstrap import MpiRun
from clusterprint.derived import vm_runs
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("VM111", severity=Severity.ERROR, source="clusterprint: results of runs", firm=True)
def run_name_taken(run: MpiRun, context: Context[VmBlueprint]) -> Iterator[Finding]:
    """A program has the name of the benchmark.

    Results are found by the name of the program, and those of the benchmark are called `nccl`.

    Give the program another name.
    """
    if run.name == vm_runs.NCCL:
        yield Finding(
            f"the results of NCCL's benchmark are called {run.name}, too",
            context.at(run, "name"),
            help="give the program another name",
        )
