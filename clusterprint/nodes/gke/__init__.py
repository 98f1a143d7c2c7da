"""Shell scripts that our containers run on the nodes of a GKE cluster, of either kind.

They get there as text, in the command of a container, so they need no way to a node of their own. What
differs from one container to the next they get as arguments or variables: nobody edits their text.
"""

from importlib import resources


def script(name: str) -> str:
    """The text that a shell is given, such as of `nccl/install-tcpx`: the file without the comment on top.

    That comment is for readers and for shellcheck, and would only make the command of a container longer.
    """
    text = (resources.files(__name__) / "files" / f"{name}.sh").read_text("utf-8")
    lines = text.splitlines(keepends=True)
    first = next(index for index, line in enumerate(lines) if not line.startswith("#"))
    return "".join(lines[first:])
