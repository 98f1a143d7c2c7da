"""`clusterprint synth`: generate Terraform JSON from blueprints."""

import sys
from pathlib import Path

import click

from clusterprint.cli import cluster_arguments
from clusterprint.cli.output import out_option, say
from clusterprint.old_stacks import Leftover, clear_leftovers
from clusterprint.progress import shown


@click.command("synth")
@cluster_arguments.any_of
@out_option("Folder to write the Terraform JSON to.", folder=True, default=Path("cdktf.out"))
@click.option("--strict", is_flag=True, help="Treat warnings as problems.")
def synth(paths: tuple[Path, ...], out: Path, strict: bool) -> None:  # noqa: FBT001 - click passes options
    """Generate Terraform JSON from blueprints.

    CLUSTER is a name, a blueprint's file, or a folder of blueprints, or `-` for standard input; the default
    is blueprints/. Blueprints are checked first; if there are problems, nothing is written and the output
    folder stays unchanged. The output is byte for byte the same as that of `cdktf synth`. Folders of stacks
    that no blueprint has any more are removed, unless they contain files that synth did not write.
    """
    examined = cluster_arguments.sound(paths, strict=strict)
    from clusterprint.synth import plan_all, synthesize

    with shown(sys.stderr):
        files = synthesize(plan_all(examined.results), out)
    for file in files:
        say(file)
    for leftover in clear_leftovers(out):
        say(_about(leftover), err=True)


def _about(leftover: Leftover) -> str:
    if leftover.removed:
        return f"removed {leftover.folder}: none of these blueprints has it"
    return (
        f"left {leftover.folder} alone: none of these blueprints has it, but "
        f"it holds {', '.join(leftover.more)}; "
        "if its cluster was renamed or removed, run `terraform destroy` in it and delete it"
    )
