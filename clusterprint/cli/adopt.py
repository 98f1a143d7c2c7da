"""`clusterprint adopt`: import blocks for existing resources."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from clusterprint.cli import cluster_arguments, lifecycle
from clusterprint.cli.output import out_option, say
from clusterprint.errors import EnvironmentFailure, UsageError
from clusterprint.exit_codes import Code
from clusterprint.files.atomic import write as write_aside
from clusterprint.words import counted

if TYPE_CHECKING:
    from clusterprint.lifecycle.import_plans import Adopted


@click.command("adopt")
@cluster_arguments.some
@out_option(
    "Output folder of `synth`: write the blocks beside each stack there, as adopt.tf.json.",
    folder=True,
    metavar="DIR",
)
@lifecycle.SIMULATE
@lifecycle.LOG_DIR
def adopt(paths: tuple[Path, ...], out: Path | None, simulate: Path | None, logs: Path | None) -> None:
    """Find existing resources that blueprints name.

    Terraform's import blocks for them are printed. CLUSTER is a name, a blueprint's file, or a folder of
    blueprints. Networks, subnets, routers, firewalls, buckets, file systems, clusters, pools, groups of
    machines, scale sets and service accounts are looked for by the names that the blueprints give them, with
    plans of Terraform (or OpenTofu): nothing is changed, and nothing written to a state. With the blocks
    beside its stack, the first plan imports what exists instead of creating it; `up --adopt` does the same in
    one step. Each import says what the plan does with it. Exit codes: 0 found or not, 1 something would be
    recreated.
    """
    examined = lifecycle.sound(paths)
    from clusterprint.lifecycle.import_plans import look
    from clusterprint.lifecycle.session import session
    from clusterprint.lifecycle.stack import synthesized

    display = lifecycle.display()
    with synthesized(examined) as stacks, session(stacks, simulate, display, logs) as opened:
        if opened.world.simulated:
            display.line(lifecycle.SIMULATED)
        looked = look(stacks, opened)
    lifecycle.tell_broken(looked.broken, (), "the same command")
    for each in looked.found:
        _tell(each, out)
    if looked.waiting:
        say(f"not checked, because they need what does not exist yet: {', '.join(looked.waiting)}", err=True)
    if looked.broken:
        sys.exit(Code.FAILED)
    sys.exit(1 if any(each.replaced for each in looked.found) else 0)


def _tell(adopted: "Adopted", out: Path | None) -> None:
    from clusterprint.lifecycle.adopt import FILE, blocks

    for address in adopted.imports:
        actions = adopted.actions.get(address, ())
        what = "as the blueprint says"
        if "delete" in actions:
            what = "would be recreated: change the blueprint, or give the cluster another name"
        elif "update" in actions:
            what = "changed in place"
        say(f"[{adopted.stack}] {address}: {what}", err=True)
    number = counted(len(adopted.imports), "import")
    say(f"[{adopted.stack}] {number}; {adopted.created} to create", err=True)
    if not adopted.imports:
        return
    text = blocks(sorted(adopted.imports.items()))
    if out is None:
        say(text.rstrip("\n"))
        return
    folder = out / "stacks" / adopted.stack
    if not (folder / "cdk.tf.json").is_file():
        raise UsageError(f"{folder} is not a stack: create it with `clusterprint synth --out {out}`")
    try:
        write_aside(text.encode(), folder / FILE)
    except OSError as error:
        raise EnvironmentFailure(f"cannot write {folder / FILE}: {error.strerror}") from error
    say(f"wrote {folder / FILE}", err=True)
