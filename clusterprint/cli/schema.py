"""`clusterprint schema`: the JSON Schema of blueprints, for editors and other tools."""

from pathlib import Path

import click

from clusterprint.blueprint import KINDS
from clusterprint.cli.output import out_option, say
from clusterprint.errors import UsageError
from clusterprint.validate.schemas import ALL, OUTPUTS, schema_file, whole_schema

_NAMES = (ALL, *KINDS, "policy", "scenario", "evidence", OUTPUTS)
_METAVAR = "[KIND|policy|scenario|evidence|outputs]"


@click.command("schema")
@click.argument("name", type=click.Choice(_NAMES), default=ALL, metavar=_METAVAR)
@click.option(
    "--path", "is_path", is_flag=True, help="Print the path of the installed file, not its content."
)
@out_option("File to write it to.")
def schema(name: str, is_path: bool, out: Path | None) -> None:  # noqa: FBT001 - click passes options
    """Print the JSON Schema.

    It is that of blueprints, of one kind of them, of a policy, of a scenario, of the predicate of evidence,
    or of all that commands print with `--format json`. Without a name it is the schema of all kinds, which is
    the one for editors. It belongs to this version of clusterprint: write it again after an upgrade.
    """
    if is_path and out:
        raise UsageError("--path names the installed file, --out writes another: give one of the two")
    if is_path:
        say(schema_file(name))
        return
    text = whole_schema(name)
    if out is None:
        say(text, nl=False)
        return
    from clusterprint.review.write import write  # only to write

    write(text, out)
