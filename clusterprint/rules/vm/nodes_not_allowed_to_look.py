from clusterprint.blueprint.vm import VmBlueprint
from clusterprint.derived import cooperation
from clusterprint.rules.kit import UNSET, Context, Finding, Iterator, Severity, listed, rule


@rule("VM103", severity=Severity.WARNING, source="IAM permissions of Compute Engine")
def nodes_not_allowed_to_look(blueprint: VmBlueprint, context: Context) -> Iterator[Finding]:
    """Nodes find each other with a service account that the cluster does not own.

    Nodes ask Compute Engine which machines the cluster has, and what each says of itself. An account that is
    made for the cluster gets a role with just that. To an account of yours nothing is added: without these
    permissions the nodes do not become ready, and power saving of Slurm stops none.

    Have the owner of the account give it a custom role with these permissions in the project, and ignore
    this warning; or remove `email`.
    """
    if blueprint.service_account.email is UNSET or not cooperation.needs_role(blueprint):
        return
    wanted = next((key for key in ("hosts", "ssh") if context.wrote(blueprint.cluster, key)), "")
    permissions = listed(cooperation.permissions(blueprint), "and")
    more = ", and Slurm stops and starts them" if cooperation.saves_power(blueprint) else ""
    yield Finding(
        f"{blueprint.service_account.email} needs the permissions {permissions}"
        f" in the project, with which nodes find each other{more}",
        context.at(blueprint.service_account, "email"),
        also=(context.at(blueprint.cluster, wanted, text="needs it"),) if wanted else (),
        help="give it a role with these, and ignore this; or remove email",
    )
