"""`clusterprint outputs`: the Terraform outputs of existing clusters."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from clusterprint.cli import cluster_arguments, lifecycle
from clusterprint.cli.output import FORMAT, say
from clusterprint.exit_codes import Code
from clusterprint.render.visible import visible

_OF_THE_ENGINE = "cross-stack-output-"


@click.command("outputs")
@cluster_arguments.some
@FORMAT
@lifecycle.SIMULATE
def outputs(paths: tuple[Path, ...], form: str, simulate: Path | None) -> None:
    """Print the outputs of existing clusters.

    They say how to connect, where dashboards are, names and addresses. CLUSTER is a name, a blueprint's file,
    or a folder of blueprints. Outputs are read from the state. JSON is one object with the outputs of each
    stack by its name; sensitive ones are left out. A stack that does not exist has none.
    """
    examined = lifecycle.sound(paths)
    from clusterprint.lifecycle.outputs import read_outputs
    from clusterprint.lifecycle.session import session
    from clusterprint.lifecycle.skeleton import skeletons
    from clusterprint.lifecycle.stack import synthesized

    with (
        synthesized(examined) as made,
        skeletons(made) as stacks,
        session(stacks, simulate, lifecycle.display(quiet=True), None) as opened,
    ):
        found, broken = read_outputs(stacks, opened)
    shown = {stack: _shown(values) for stack, values in found.items()}
    say(json.dumps(shown, indent=2, ensure_ascii=False) if form == "json" else _text(shown))
    lifecycle.tell_broken(broken, (), "the same command")
    lifecycle.finish(Code.FAILED if broken else Code.DONE, detailed=False)


def _shown(values: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    return {
        name: each.get("value")
        for name, each in sorted(values.items())
        if not each.get("sensitive") and not name.startswith(_OF_THE_ENGINE)
    }


def _text(shown: Mapping[str, Mapping[str, Any]]) -> str:
    lines = []
    for stack, values in shown.items():
        lines.append(f"{stack}:" if values else f"{stack}: no outputs, as it does not exist")
        for name, value in values.items():
            lines += [f"  {visible(name)}:", *(f"    {line}" for line in lifecycle.lines_of(value))]
    return "\n".join(lines)
