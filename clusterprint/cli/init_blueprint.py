"""`clusterprint init [DIR]`: the smallest blueprint that validates."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli.output import say
from clusterprint.cli.report import exit_code, print_report, utf8
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.find import DEFAULT
from clusterprint.starter import MACHINES

if TYPE_CHECKING:
    from clusterprint.examine import Examined
    from clusterprint.starter import Start
    from clusterprint.validate import Validated

_SCHEMA = Path("schema", "blueprint.schema.json")


@click.command("blueprint")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False), default=DEFAULT)
@click.option(
    "--kind", type=click.Choice(list(MACHINES)), help="Kind of cluster: machines, a Kubernetes cluster ..."
)
@click.option("--name", help="Name of the cluster, and of the file.  [default: first]")
@click.option("--project", metavar="ID", help="Project of Google Cloud.")
@click.option("--subscription", metavar="ID", help="Subscription of Azure, for kind vmss.")
@click.option("--region", help="Region.  [default: that of a zone where the machine type was seen]")
@click.option("--location", help="Location of Azure, for kind vmss.")
@click.option("--zone", help="Zone.  [default: one of the region where the machine type was seen]")
@click.option("--machine-type", help="Machine type, or size of Azure.  [default: a small one with a GPU]")
@click.option("--state-bucket", metavar="NAME", help="Bucket for the state of Terraform.")
@click.option(
    "--ssh-public-key",
    "key",
    metavar="FILE",
    type=click.Path(path_type=Path, dir_okay=False, exists=True),
    help="Public SSH key, for kind vmss.",
)
def blueprint(folder: Path, **options: str | Path | None) -> None:
    """Create the smallest valid blueprint.

    The schema for editors is written beside it. FOLDER is the folder to write to; the default is blueprints/.
    Missing options are asked for on a terminal. Nothing is overwritten, and nothing written that `validate
    --strict` would not accept. Next: `init state`.
    """
    from clusterprint.cli.init_choices import choose  # the catalog, for what is proposed

    start = choose({name: str(value) if value is not None else "" for name, value in options.items()})
    file = folder / f"{start.name}.yaml"
    if os.path.lexists(file):
        raise UsageError(f"{file} exists already, and nothing is overwritten: use another --name or folder")
    schema, is_new = _schema(folder)
    text = _checked(start, file, Path(os.path.relpath(schema, folder)).as_posix())
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if is_new:
            _write_schema(schema)
        with file.open("x", encoding="utf-8") as stream:
            stream.write(text)
    except FileExistsError:
        raise UsageError(f"{file} exists already, and nothing is overwritten") from None
    except OSError as error:
        raise EnvironmentFailure(f"cannot write to {folder}: {error.strerror}") from error
    say(f"wrote {file}")
    say(f"next: clusterprint init state {file}, clusterprint doctor {file}, clusterprint synth {file}")


def _schema(folder: Path) -> tuple[Path, bool]:
    """The schema that is above the folder, or where to write one: beside the usual folder, else in it."""
    for above in (folder.absolute(), *folder.absolute().parents):
        if (above / _SCHEMA).is_file():
            return above / _SCHEMA, False
        if (above / ".git").exists():
            break
    home = folder.absolute().parent if folder.name == DEFAULT.name else folder.absolute()
    return home / _SCHEMA, True


def _write_schema(schema: Path) -> None:
    from clusterprint.review.write import write
    from clusterprint.validate.schemas import ALL, whole_schema

    schema.parent.mkdir(parents=True, exist_ok=True)
    write(whole_schema(ALL), schema)


def _checked(start: "Start", file: Path, schema: str) -> str:
    """The text; exits with diagnostics, should it not validate among the blueprints that are there."""
    from clusterprint.starter import blueprint as written

    text = written(start, schema)
    found = _examined(text, file)
    code = exit_code(found, strict=True)
    if code:
        print_report(found, "text", utf8(sys.stderr))
        say("nothing is written: this would not validate", err=True)
        sys.exit(code)
    return text


def _examined(text: str, file: Path) -> "Examined":
    from clusterprint.examine import Examined, source_of
    from clusterprint.files.inside import root_of
    from clusterprint.load import load_text, with_defaults
    from clusterprint.validate import check_alone, check_fleet

    alone = load_text(text.encode(), str(file), file.parent)
    loaded, defaults = with_defaults(alone, file, str(file), root_of(file, [file.parent]))
    others = _others(file.parent)
    own = [check_alone(loaded.document)] if loaded.document else []
    results = check_fleet([*others, *own])
    mine = [each for each in results if each.document.file == str(file)]
    found = [*loaded.diagnostics, *(each for result in mine for each in result.diagnostics)]
    sources = {each.document.file if each.document else each.name: source_of(each) for each in defaults}
    return Examined(mine, found, {**sources, str(file): text}, 1)


def _others(folder: Path) -> "Sequence[Validated]":
    from clusterprint.examine import examine
    from clusterprint.find import NothingFound

    try:
        return examine([folder]).results if folder.is_dir() else []
    except NothingFound:
        return []
