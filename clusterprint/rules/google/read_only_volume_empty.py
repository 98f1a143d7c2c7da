from clusterprint.blueprint.volumes import NAMED_BY, GoogleVolume
from clusterprint.rules._only import misplaced
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, listed, rule

#: The setting by which something is in a volume from the start, by kind.
_FILLED_FROM = {"disk": "snapshot", "filestore": "source_backup", "lustre": "import_from"}


@rule("GCP105", severity=Severity.ERROR)
def read_only_volume_empty(volume: GoogleVolume, context: Context) -> Iterator[Finding]:
    if volume.access != "read_only" or not volume.create or volume.kind == "bucket":
        return
    source = _FILLED_FROM.get(volume.kind)
    if source and getattr(volume, source) is not UNSET:
        return
    yield Finding(
        f"volume {volume.name} is created empty, and only read",
        context.at(volume, "access"),
        help="; or ".join(_ways(volume, source, context)),
    )


def _ways(volume: GoogleVolume, source: str | None, context: Context) -> Iterator[str]:
    if source:
        yield f"add {source} to fill it"
    if volume.kind != "disk":
        yield "remove access: read_only"
    unused = list(misplaced(volume, context, create=False))
    named = f"add create: false and {NAMED_BY[volume.kind]} for one that exists"
    yield named + (f", and remove {listed(unused, 'and')}" if unused else "")
