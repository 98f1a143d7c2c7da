"""`clusterprint lsp`: the language server for editors."""

import click

from clusterprint.errors import EnvironmentFailure, from_checkout


@click.command("lsp")
@click.option("--stdio", is_flag=True, help="Accepted for editors that pass it: there is no other way.")
def lsp(stdio: bool) -> None:  # noqa: ARG001, FBT001 - click passes options
    """Serve editors by the Language Server Protocol.

    It talks over standard input and output. Editors start it; docs/editors.md says how. It shows the problems
    that `validate` finds as you type, fixes them, completes keys and names of the catalog, explains keys and
    machines, jumps to the pools that jobs name, and formats.
    """
    try:
        from clusterprint.editor.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("pygls", "lsprotocol"):
            raise
        raise EnvironmentFailure(
            "the language server needs pygls, which is not installed: pip install pygls, or "
            + from_checkout("'.[lsp]'")
        ) from None
    serve()
