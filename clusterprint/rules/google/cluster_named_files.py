from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.derived import state_names
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule


@rule("GCP053", severity=Severity.ERROR, firm=True)
def cluster_named_files(blueprint: GoogleBlueprint, context: Context) -> Iterator[Finding]:
    files = state_names.file_object("", "").rstrip("/")
    stacks = state_names.stacks(context.blueprint.kind, blueprint.name)
    if any(state_names.state_folder("", each) == files for each in stacks):
        yield Finding(
            f"a cluster cannot be called {blueprint.name}: its state would be stored among the files for "
            "the nodes",
            context.at(blueprint, "name"),
            help="choose another name",
        )
