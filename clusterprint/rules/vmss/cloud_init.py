import posixpath

from clusterprint.blueprint.content import CloudInitFile, TextFile
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import cloud_init
from clusterprint.nodes.file import FACTS
from clusterprint.nodes.vmss import LIMIT, encoded_size, own_files
from clusterprint.rules import _texts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss import _settings


@rule("AZ060", severity=Severity.ERROR, firm=True)
def custom_data_too_long(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    for role in _settings.ROLES:
        parts = (_settings.startup_script(blueprint, role), _settings.cloud_init(blueprint, role))
        script, own = (_settings.readable(each, context) or "" for each in parts)
        try:
            size = encoded_size(role, _settings.settings(blueprint, script, own))
        except cloud_init.NotMergeable:
            continue
        longer = parts[0] if len(script) >= len(own) else parts[1]
        if size > LIMIT and isinstance(longer, TextFile):
            yield Finding(
                f"{_texts.name(longer)} is too long for the custom data of the {role}",
                context.at(longer, _texts.field(longer)),
                help="shorten it, or let it fetch its larger parts",
            )


@rule("AZ086", severity=Severity.ERROR, firm=True)
def cloud_init_not_merged(own: CloudInitFile, context: Context) -> Iterator[Finding]:
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


@rule("AZ087", severity=Severity.ERROR, firm=True)
def cloud_init_password(own: CloudInitFile, context: Context) -> Iterator[Finding]:
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


# What is there depends on the rest of the blueprint.
_OURS = (f"{FACTS}/", "/usr/local/lib/clusterprint/")


@rule("AZ088", severity=Severity.ERROR, firm=True)
def cloud_init_path_taken(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    for role in _settings.ROLES:
        own = _settings.cloud_init(blueprint, role)
        text = _settings.readable(own, context)
        if text is None or not isinstance(own, TextFile):
            continue
        try:
            files = cloud_init.read(text).write_files
        except cloud_init.NotMergeable:
            continue
        taken = {each.path for each in own_files(role, _settings.settings(blueprint, "x", ""))}
        for file in files:
            # Two slashes in front are one to the machine, but not to normpath.
            path = posixpath.normpath(f"/{file['path'].lstrip('/')}")
            if path in taken or path.startswith(_OURS):
                yield Finding(
                    f"{_texts.name(own)} writes {file['path']}, which clusterprint writes",
                    context.at(own, _texts.field(own)),
                    help="give it another path",
                )
