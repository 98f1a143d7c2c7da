from clusterprint.blueprint.content import CloudInitFile
from clusterprint.derived import cloud_init
from clusterprint.rules import _texts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss import _settings


@rule("AZ087", severity=Severity.ERROR, source="cloud-init: users and groups", firm=True)
def cloud_init_password(own: CloudInitFile, context: Context) -> Iterator[Finding]:
    """A cloud-init file gives a user a password.

    It would be in the repository, in the Terraform state and in the custom data, which everybody on the
    machine can read; a hash of it can be tried out at leisure. Machines take keys only.

    Give the user `ssh_authorized_keys` instead.
    """
    text = _settings.readable(own, context)
    if text is None:
        return
    try:
        found = cloud_init.read(text)
    except cloud_init.NotMergeable:
        return
    for name, key in cloud_init.passwords(found):
        yield Finding(
            f"{_texts.name(own)} has a password of user {name} ({key})",
            context.at(own, _texts.field(own)),
            help="revoke it, and give the user ssh_authorized_keys",
        )
