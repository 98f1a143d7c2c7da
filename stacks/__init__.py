"""Plans -> CDKTF constructs, one to one. Stacks know plans and the engine, nothing about YAML.

Only `clusterprint.synth` imports this package, after `clusterprint.bindings.prepare`.

Stacks decide nothing. A construct gets its part of the plan and the siblings it refers to, including ports,
paths, amounts and timeouts; what is the same in all clusters is a default of its plan. The id of a construct
is an address in the user's state, so it comes from a name or a role, never from a position, and nodes, roles,
services and files are `for_each` over names. An option that is passed through has no line in any construct:
its field in the plan names the provider's argument (`arguments`). That gives up the bindings' types for such
arguments; instead, some golden has every field, and Terraform validates and plans every golden.
"""

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from clusterprint.plan.part import StackPlan
from stacks.literal_plan import in_literals

if TYPE_CHECKING:  # reading texts or data of stacks starts no engine
    from cdktf import App, TerraformStack

# Makes the stack of a plan; `built` holds the stacks made before it, by name, to refer to.
Builder: TypeAlias = "Callable[[App, Mapping[str, TerraformStack]], TerraformStack]"


def builder(plan: StackPlan) -> Builder:
    """The builder of a plan's stack; loads the bindings that it needs, which must be before any App.

    The only way to a stack: it is built from literals, whatever the plan says.
    """
    build = import_module(f"stacks.{plan.module}").build
    written = in_literals(plan)

    def made(app: "App", built: "Mapping[str, TerraformStack]") -> "TerraformStack":
        stack: TerraformStack = build(app, written, built)
        return stack

    return made


def lay_files(plan: StackPlan, folder: Path, stack_folder: Path) -> None:
    """Put files to where Terraform looks for them: those that a plan carries, its scripts, and our chart."""
    if plan.upload is not None:
        from stacks.google.upload import copy_files  # loads bindings

        copy_files(plan.upload, folder, stack_folder)
    for name, text in plan.scripts.items():
        (stack_folder / name).write_text(text, "utf-8")
    if plan.has_objects:
        from stacks.kubernetes.objects import lay_chart  # loads bindings

        lay_chart(stack_folder)
