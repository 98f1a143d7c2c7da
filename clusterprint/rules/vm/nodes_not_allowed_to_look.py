from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import cooperation
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, listed, rule


@rule("VM103", severity=Severity.WARNING)
def nodes_not_allowed_to_look(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    if blueprint.service_account.email is UNSET or not cooperation.needs_role(blueprint):
        return
    wanted = next((key for key in ("hosts", "ssh") if context.wrote(blueprint.cluster, key)), "")
    permissions = listed(cooperation.permissions(blueprint), "and")
    more = ", and Slurm stops and starts them" if cooperation.saves_power(blueprint) else ""
    more += ", and stop idle groups" if cooperation.stops_idle(blueprint) else ""
    yield Finding(
        f"{blueprint.service_account.email} needs the permissions {permissions}"
        f" in the project, with which nodes find each other{more}",
        context.at(blueprint.service_account, "email"),
        also=(context.at(blueprint.cluster, wanted, text="needs it"),) if wanted else (),
        help="give it a role with these, and ignore this; or remove email",
    )
