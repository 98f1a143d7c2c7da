from clusterprint.blueprint.content import CloudInitFile
from clusterprint.derived import cloud_init
from clusterprint.rules import _texts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss import _settings


@rule("AZ086", severity=Severity.ERROR, source="cloud-init: module reference", firm=True)
def cloud_init_not_merged(own: CloudInitFile, context: Context) -> Iterator[Finding]:
    """A cloud-init file cannot be merged with the one that sets the machine up.

    A machine has one such file. The users, files, packages and early commands of yours are added to those of
    clusterprint; other keys would take the place of something, or do what the blueprint has fields for.

    Correct the file, or use the field that the help names.
    """
    text = _settings.readable(own, context)
    if text is None:
        return
    try:
        cloud_init.read(text)
    except cloud_init.NotMergeable as problem:
        where = f" (line {problem.line})" if problem.line else ""
        yield Finding(
            f"{_texts.name(own)} {problem}{where}", context.at(own, _texts.field(own)), help=problem.help
        )
