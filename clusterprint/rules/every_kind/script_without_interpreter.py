from clusterprint.blueprint.content import Script
from clusterprint.rules import _texts
from clusterprint.rules.kit import Context, Finding, Iterator, Severity, rule

_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


@rule("BP222", severity=Severity.WARNING, source="Compute Engine: startup scripts on Linux VMs")
def script_without_interpreter(script: Script, context: Context) -> Iterator[Finding]:
    """A script does not begin with `#!` and the program that runs it.

    The node runs the script as a program, and the first line says which language it is in. Without it, the
    behavior depends on the image; often the script silently does not run.

    Begin the script with `#!/bin/bash`, or another interpreter, in the very first column.
    """
    content = _texts.content(script, context)
    if content is None or content.startswith(b"#!") or not _texts.is_text(content):
        return
    subject = _texts.name(script)
    place = context.at(script, _texts.field(script))
    if not content.strip():
        yield Finding(f"{subject} is empty", place, help="write the script, or remove startup_script")
    elif content.removeprefix(_BYTE_ORDER_MARK).lstrip().startswith(b"#!"):
        yield Finding(f"{subject} has something before its #!", place, help="let it begin with #!")
    else:
        yield Finding(f"{subject} does not begin with #!", place, help="begin it with #!/bin/bash")
