"""`clusterprint mcp`: the commands that only read, for agents."""

from pathlib import Path

import click

from clusterprint.cli import lifecycle
from clusterprint.errors import EnvironmentFailure, UsageError, from_checkout
from clusterprint.files.inside import root_of

# What `import` may miss: the SDK, or a part of it in an older version.
_SDK = ("mcp", "mcp_types", "anyio")


@click.command("mcp")
def mcp() -> None:
    """Serve agents by the Model Context Protocol.

    It talks over standard input and output. Agents start it in the folder of the blueprints, the root of
    their git repository if they have one; docs/agents.md says how. Its tools are validate, explain, choose,
    show, review, plan (simulated) and status (of a simulated cloud). They change nothing, read nothing
    outside of the folder, and get no credentials.
    """
    lifecycle.insist_on_posix()
    folder = Path.cwd()
    root = root_of(folder / "any", [folder]).resolve()
    if root != folder:
        raise UsageError(
            f"{folder} is a part of a repository, and blueprints share its files: start it in {root}"
        )
    try:
        from clusterprint.cli.mcp_server import serve
    except ImportError as error:
        if (error.name or "").partition(".")[0] not in _SDK:
            raise
        raise EnvironmentFailure(
            "the server for agents needs version 2 of the MCP SDK, which is not installed: "
            "pip install 'mcp>=2.3,<3', or " + from_checkout("'.[mcp]'")
        ) from None
    serve(folder)
