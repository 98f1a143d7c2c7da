"""The list of the files of the nodes, which lies in the bucket beside them.

It is no part of the metadata: another list is no change of any machine, and the machines that run find it.
"""

import base64
from collections.abc import Iterable

from clusterprint.errors import ClusterprintError
from clusterprint.plan.vm_nodes import NodeFile

_HEADING = "clusterprint files 1"


class UnsuitableNameError(ClusterprintError):
    """The name of a file holds a control character."""


def manifest(files: Iterable[NodeFile]) -> str:
    """One file a line: mode, MD5 in hexadecimal digits, object and path, with tabs between, by path.

    Raises UnsuitableNameError.
    """
    lines = [_HEADING]
    for file in sorted(files, key=lambda file: file.path):
        for name in (file.path, file.object):
            if not name.isprintable():
                raise UnsuitableNameError(
                    f"The name of the file {name!r} contains a control character. Rename it."
                )
        mode = "0755" if file.executable else "0644"
        lines.append("\t".join((mode, base64.b64decode(file.md5).hex(), file.object, file.path)))
    return "\n".join(lines) + "\n"
