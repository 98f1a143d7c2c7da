from clusterprint.blueprint.content import FileCopy
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.derived import state_names
from clusterprint.derived.name_forms import OBJECT
from clusterprint.rules import _paths
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, rule


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
