"""Plans -> CDKTF constructs, one to one. Stacks know plans and the engine, nothing about YAML.

Only `clusterprint.synth` imports this package, after `clusterprint.bindings.prepare`.
"""

from pathlib import Path

from cdktf import App, TerraformStack

from clusterprint.plan.vm import VmPlan


def build(app: App, plan: VmPlan) -> TerraformStack:
    """Build the stack of a plan."""
    from stacks.vm.stack import VmStack  # noqa: PLC0415 - each kind loads only its own bindings

    return VmStack(app, plan)


def lay_files(plan: VmPlan, folder: Path, stack_folder: Path) -> None:
    """Copy the files that a plan carries from the blueprint's folder to where Terraform looks for them."""
    from stacks.google.upload import copy_files  # noqa: PLC0415 - loads bindings

    if plan.upload:
        copy_files(plan.upload, folder, stack_folder)
