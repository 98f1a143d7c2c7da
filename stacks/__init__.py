"""Plans -> CDKTF constructs, one to one. Stacks know plans and the engine, nothing about YAML.

Only `clusterprint.synth` imports this package, after `clusterprint.bindings.prepare`.
"""

from collections.abc import Callable
from pathlib import Path

from cdktf import App, TerraformStack

from clusterprint.plan.vm import VmPlan


def stack_type(plan: VmPlan) -> Callable[[App, VmPlan], TerraformStack]:
    """The stack to build for a plan; loads the bindings that it needs, which must be before any App."""
    from stacks.vm.stack import VmStack  # each kind loads only its own bindings

    return VmStack


def lay_files(plan: VmPlan, folder: Path, stack_folder: Path) -> None:
    """Copy the files that a plan carries from the blueprint's folder to where Terraform looks for them."""
    from stacks.google.upload import copy_files  # loads bindings

    if plan.upload:
        copy_files(plan.upload, folder, stack_folder)
