"""cloud-init user data: files and the commands that run once, as the text of a `#cloud-config`."""

import base64
import json
from collections.abc import Iterable, Sequence

from clusterprint.derived.cloud_init import CloudInit, as_yaml
from clusterprint.nodes.file import File


def cloud_config(
    files: Iterable[File], packages: Sequence[str], commands: Sequence[Sequence[str]], own: CloudInit
) -> str:
    """Write down files, packages and commands for cloud-init, and what the user has in a file of their `own`.

    Our own texts are block scalars, readable in a review; a command is a list of words, so no shell reads it.
    What is the user's comes after ours, each entry on a line.
    """
    lines = ["#cloud-config", "package_update: true", "packages:"]
    more = (each for each in own.packages if each not in packages)
    lines += [f"- {as_yaml(package)}" for package in (*packages, *more)]
    for key, entries in (("users", own.users), ("bootcmd", own.bootcmd)):
        if entries:
            lines += [f"{key}:", *(f"- {as_yaml(each)}" for each in entries)]
    lines.append("write_files:")
    for file in files:
        lines += _entry(file)
    lines += [f"- {as_yaml(each)}" for each in own.write_files]
    lines.append("runcmd:")
    lines += [f"- {json.dumps(list(command))}" for command in commands]
    return "\n".join(lines) + "\n"


def _entry(file: File) -> list[str]:
    head = [f"- path: {json.dumps(file.path)}", f"  permissions: '{file.mode}'"]
    if file.encoded:
        text = base64.b64encode(file.text.encode()).decode()
        return [*head, "  encoding: b64", f"  content: {text}"]
    # The indentation is said, so that the first line may begin with blanks; `|` ends with one line break.
    body = [f"    {line}" if line else "" for line in file.text.removesuffix("\n").split("\n")]
    return [*head, "  content: |2", *body]
