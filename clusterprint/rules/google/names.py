from clusterprint.blueprint.content import FileCopy
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.derived import google_names, state_names
from clusterprint.derived.name_forms import OBJECT
from clusterprint.rules import _names, _paths
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


@rule("GCP050", severity=Severity.ERROR, firm=True)
def derived_name_not_allowed(blueprint: GoogleBlueprint, context: Context) -> Iterator[Finding]:
    derived = (*google_names.of_kind(blueprint.kind), *google_names.of_zones(blueprint))
    yield from _names.not_allowed(derived, blueprint, context)


@rule("GCP067", severity=Severity.ERROR, firm=True)
def file_object_name_too_long(part: FileCopy, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    blueprint = context.blueprint
    prefix = _prefix(blueprint)
    if not OBJECT.accepts(state_names.longest_state_object(blueprint.kind, blueprint.name, prefix)):
        return  # the prefix alone is too long, which another rule says
    for landing, entry in _paths.copied(part, context):
        name = state_names.file_object(prefix, landing.lstrip("/"))
        if not OBJECT.accepts(name):
            size = len(name.encode("utf-8", "surrogateescape"))
            fault = f"of {size} bytes" if size > OBJECT.longest else "with a line break in it"
            yield Finding(
                f"{_paths.shown(entry.name)} would become an object with a name {fault}",
                context.at(part, "source"),
                help=f"up to {OBJECT.longest} bytes are allowed, with prefix and destination",
            )
            return


def _prefix(blueprint: GoogleBlueprint) -> str:
    prefix = blueprint.backend.gcs.prefix
    return state_names.default_state_prefix(blueprint.name) if prefix is UNSET else prefix


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


LIMIT = 64

# `clusterprint`, and `goog-terraform-provisioned`, which the provider adds.
ADDED = 2


@rule("GCP051", severity=Severity.ERROR)
def too_many_labels(blueprint: GoogleBlueprint, context: Context) -> Iterator[Finding]:
    if len(blueprint.labels) > LIMIT - ADDED:
        yield Finding(
            f"there are {len(blueprint.labels)} labels, but only {LIMIT - ADDED} can be chosen",
            context.at_key(blueprint, "labels"),
            help=f"remove {len(blueprint.labels) - LIMIT + ADDED} of them",
        )
