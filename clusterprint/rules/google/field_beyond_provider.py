from clusterprint import catalog
from clusterprint.blueprint.google import GoogleBlueprint
from clusterprint.blueprint.part import Part
from clusterprint.blueprint.volumes import GoogleVolume
from clusterprint.derived import google_provider, volumes
from clusterprint.rules._sizes import nearest
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, given, listed, rule


@rule("GCP160", severity=Severity.ERROR, firm=True)
def field_beyond_provider(part: Part, context: Context[GoogleBlueprint]) -> Iterator[Finding]:
    terraform = context.blueprint.terraform
    if not google_provider.is_old(terraform):
        return
    for field in google_provider.newer_fields(part):
        yield Finding(
            f"{field} needs a newer Terraform provider than google {terraform.google_provider}",
            context.at_key(part, field),
            also=(context.at(terraform, "google_provider", text="the pinned provider"),),
            help=f"remove terraform.google_provider{_other_way(part, field)}",
        )


# What has to be there, and so cannot just be removed.
_INSTEAD = {"until_end_of_support": "write end instead of it", "machine_type": "use another machine_type"}


def _other_way(part: Part, field: str) -> str:
    """How to stay with the provider, so that what is left is accepted."""
    if isinstance(part, GoogleVolume) and field == "tier":
        return _without_flex(part)
    return f", or {_INSTEAD.get(field, field)}"


def _without_flex(volume: GoogleVolume) -> str:
    """A NetApp volume of the default level: its throughput follows from its size, and it is in no zone."""
    only_flex = [key for key in ("throughput_mbps", "zone") if given(getattr(volume, key))]
    default, size = catalog.netapp_tier(volumes.DEFAULT_TIERS["netapp"]), volume.size_gb
    other_size = (
        f", and write {nearest(default, size)}" if default and given(size) and not default.band(size) else ""
    )
    if not only_flex and not other_size:
        return ", or tier"
    return f"; without level flex, remove {listed(['tier', *only_flex], 'and')}{other_size}"
