from clusterprint.blueprint.gke.workloads import Workloads
from clusterprint.derived import components
from clusterprint.rules._repeated import repeated
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, known, rule


@rule("GKE246", severity=Severity.ERROR, source="Helm: names of releases", firm=True)
def chart_name_taken(workloads: Workloads, context: Context) -> Iterator[Finding]:
    """Two charts have the same name, or one that a component has.

    A Helm release is identified by its name, in the cluster and in the Terraform state.

    Give it another name.
    """
    yield from repeated(
        workloads.charts,
        context,
        lambda each: f"there are two charts called {each.name}",
        help="give one of them another name",
    )
    ours = {name for name, _, _ in components.requested(workloads)}
    for chart, name in known(workloads.charts, lambda each: each.name):
        if name in ours:
            yield Finding(
                f"a chart is called {name}, which is the name of a component",
                context.at(chart, "name"),
                help="give it another name",
            )
