"""Plans -> CDKTF constructs, one to one. Stacks know plans and the engine, nothing about YAML.

Only `clusterprint.synth` imports this package, after `clusterprint.bindings.prepare`.
"""

from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from cdktf import App, TerraformStack

from clusterprint.plan.vm import VmPlan


def stack_type(plan: VmPlan) -> Callable[[App, VmPlan], TerraformStack]:
    """The stack to build for a plan; loads the bindings that it needs, which must be before any App."""
    module, name = _STACKS[type(plan)]
    found: Callable[[App, VmPlan], TerraformStack] = getattr(import_module(module), name)
    return found


# plan -> stack, by name: each kind loads only its own bindings
_STACKS = {VmPlan: ("stacks.vm.stack", "VmStack")}


def lay_files(plan: VmPlan, folder: Path, stack_folder: Path) -> None:
    """Copy the files that a plan carries from the blueprint's folder to where Terraform looks for them."""
    from stacks.google.upload import copy_files  # loads bindings

    if plan.upload:
        copy_files(plan.upload, folder, stack_folder)
