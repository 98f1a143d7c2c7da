"""`clusterprint init cdktf`: what the cdktf CLI needs to deploy the blueprints of a repository."""

import json
import uuid
from pathlib import Path

import click

from clusterprint.cli.output import say
from clusterprint.gitops.fill import Filled, Template, check_blueprints, write

_MAIN = """\
from clusterprint.app import main

if __name__ == "__main__":
    main()
"""
_NEXT = "npx cdktf-cli@0.21 list, diff, deploy, output or destroy, where clusterprint is installed"


@click.command("cdktf")
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False, exists=True), default=Path())
@click.option(
    "--blueprints",
    default="blueprints",
    show_default=True,
    metavar="FOLDER",
    help="Folder of the blueprints, relative to FOLDER.",
)
@click.option("--force", is_flag=True, help="Overwrite existing files that differ.")
def cdktf(folder: Path, *, blueprints: str, force: bool) -> None:
    """Write the two files of a cdktf app.

    With them the cdktf CLI deploys blueprints. cdktf.json says where the blueprints are, and main.py, of four
    lines, is the app. FOLDER is the root of the repository; the default is the current folder. Existing files
    are only overwritten with --force.
    """
    check_blueprints(blueprints)
    files = [
        Filled(Template("", "cdktf.json", _NEXT), _settings(blueprints)),
        Filled(Template("", "main.py", _NEXT), _MAIN),
    ]
    written = write(files, folder, force=force)
    for each in files:
        path = folder / each.template.target
        say(f"{'wrote' if path in written else 'unchanged:'} {path}")
    say(f"next: {_NEXT}")


def _settings(blueprints: str) -> str:
    """The text of cdktf.json; the CLI wants an id, which tells nobody anything: it is the same for all."""
    settings = {
        "language": "python",
        "app": "python main.py",
        "projectId": str(uuid.uuid5(uuid.NAMESPACE_DNS, "clusterprint")),
        "sendCrashReports": "false",
        "terraformProviders": [],
        "terraformModules": [],
        "context": {"blueprints": blueprints},
    }
    return json.dumps(settings, indent=2) + "\n"
