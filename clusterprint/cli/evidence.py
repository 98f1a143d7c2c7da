"""`clusterprint evidence`: make keys for evidence, verify it, and show it."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from clusterprint.cli.output import FORMAT, out_option, say
from clusterprint.cli.report import utf8
from clusterprint.exit_codes import Code
from clusterprint.render.visible import visible

if TYPE_CHECKING:
    from clusterprint.proof.judge import Verdict

_PATHS = click.argument(
    "files", nargs=-1, required=True, metavar="FILE|FOLDER...", type=click.Path(path_type=Path, exists=True)
)


def _checks(command: Callable[..., None]) -> Callable[..., None]:
    """The options of what evidence must be."""
    for option in (
        click.option(
            "--no-checkout",
            "anywhere",
            is_flag=True,
            help="Do not compare checksums with the blueprints in this folder.",
        ),
        click.option(
            "--max-age",
            "days",
            type=click.IntRange(1, 36500),
            default=180,
            show_default=True,
            metavar="DAYS",
            help="Refuse older evidence.",
        ),
        click.option(
            "--allow-unsigned", "unsigned", is_flag=True, help="Accept evidence that nobody signed."
        ),
        click.option(
            "--trust",
            "keys",
            multiple=True,
            metavar="FILE",
            type=click.Path(path_type=Path, dir_okay=False),
            help="File of a public key (.pub) or of identities of workflows (.identity) to trust. Left "
            "out: those in evidence/keys/ of this folder.",
        ),
    ):
        command = option(command)
    return command


@click.group("evidence")
def evidence() -> None:
    """Verify and show evidence of proofs.

    `clusterprint prove` writes evidence: an in-toto statement in a DSSE envelope, signed by a key of Ed25519,
    by the identity of a GitHub workflow (sigstore), or by nobody.
    """


@evidence.command("key")
@out_option(
    "File of the private key; the public key is written beside it, with the ending .pub.",
    default=Path("clusterprint-proof.key"),
)
def key(out: Path) -> None:
    """Make a key pair to sign evidence with.

    Never commit the private key. Readers need the public one: it is committed to evidence/keys/.
    """
    from clusterprint.proof.envelope import make_key

    made = make_key(out)
    say(f"{out} (private: keep it secret), {out}.pub (public: commit it to evidence/keys/); key {made[:16]}")


@evidence.command("verify")
@_PATHS
@_checks
@FORMAT
def verify(files: tuple[Path, ...], *, form: str, **checks: Any) -> None:
    """Verify evidence offline.

    It checks signatures, checksums against this checkout, contradictions and age. A folder stands for all
    files in it that end with .dsse.json. No network is used. Exit codes: 0 all of it is valid, 1 some is not,
    2 there is none.
    """
    verdicts = _judged(files, **checks)
    if form == "json":
        from clusterprint.proof.show import data

        say(data(verdicts))
    else:
        from clusterprint.proof.envelope import named

        for each in verdicts:
            signer = f"signed by {named(each.signer)}" if each.signer else "unsigned"
            say(visible(f"{each.file}: {'refused' if each.problems else f'valid, {signer}'}"))
            for text in (*each.problems, *(each.notes if not each.problems else ())):
                say(visible(f"  {text}"))
    sys.exit(Code.PROBLEMS if any(each.problems for each in verdicts) else Code.DONE)


@evidence.command("show")
@_PATHS
@_checks
@click.option(
    "--format",
    "form",
    type=click.Choice(("text", "markdown", "html", "json")),
    default="text",
    show_default=True,
    help="Output format.",
)
@out_option("File to write it to.")
def show(files: tuple[Path, ...], *, form: str, out: Path | None, **checks: Any) -> None:
    """Show evidence as a table.

    It says what was proven, when, by whom, on which versions. What `evidence verify` refuses is marked as
    refused, with the reason.
    """
    from clusterprint.proof import show as tables

    render = {
        "text": tables.text,
        "markdown": tables.markdown,
        "html": tables.page,
        "json": tables.data,
    }[form]
    text = render(_judged(files, **checks))
    if out is None:
        say(text, to=utf8(sys.stdout))
        return
    from clusterprint.review.write import write  # only to write

    write(text + "\n", out)


def _judged(
    files: tuple[Path, ...], *, keys: tuple[Path, ...], unsigned: bool, days: int, anywhere: bool
) -> "list[Verdict]":
    from clusterprint.proof.envelope import KEYS, trusted, trusted_in
    from clusterprint.proof.judge import Asked, files_in, judge

    asked = Asked(trusted(keys or trusted_in(KEYS)), unsigned, days, None if anywhere else Path.cwd())
    return [judge(each, asked) for each in files_in(files)]
