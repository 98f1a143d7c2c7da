import posixpath

from clusterprint.blueprint.content import TextFile
from clusterprint.blueprint.vmss import VmssBlueprint
from clusterprint.derived import cloud_init
from clusterprint.nodes.file import FACTS
from clusterprint.nodes.vmss import own_files
from clusterprint.rules import _texts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule
from clusterprint.rules.vmss import _settings

# What is there depends on the rest of the blueprint.
_OURS = (f"{FACTS}/", "/usr/local/lib/clusterprint/")


@rule("AZ088", severity=Severity.ERROR, source="clusterprint: files of a machine", firm=True)
def cloud_init_path_taken(blueprint: VmssBlueprint, context: Context) -> Iterator[Finding]:
    """A cloud-init file writes a file that clusterprint writes, too.

    The last one wins: the machine would not be set up, or not find its cluster.

    Give the file another path.
    """
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
