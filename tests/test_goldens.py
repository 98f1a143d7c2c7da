"""Each blueprint in tests/goldens and in blueprints/ makes exactly the Terraform JSON beside it.

`make goldens` rewrites the expectations; the difference is reviewed like code. The plan of each, with all
scripts of machines, is compared by its hash, which starts no program.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from support import GOLDENS, StacksOf, cases, read_stack

from clusterprint.diagnostic import Severity
from clusterprint.examine import examine
from clusterprint.image import provisioner
from clusterprint.nodes.file import FACTS
from clusterprint.synth import plan_all

PLANS = GOLDENS / "plans.json"
# Made of scripts, which have tests of their own; a golden file would change with every word of them.
CUSTOM_DATA = "(custom data)"
#: The tag of an image that is built from sources of ours: the same holds for it.
SOURCES = provisioner.checksum()[:12]
SETTINGS = tuple(
    f"{FACTS}/{name}"
    for name in (
        "settings",
        "buckets",
        "container",
        "gpudirect",
        "end",
        "ray",
        "slurm",
        "volumes",
        "notebook",
        "rdma",
    )
)


def without_scripts(value: Any) -> Any:
    """Terraform JSON in which the scripts of machines are left out; the facts that they read are there."""
    if isinstance(value, dict):
        return {key: _without_script(key, each) for key, each in value.items()}
    if isinstance(value, str) and value.endswith(SOURCES):
        return f"{value.removesuffix(SOURCES)}(sources)"
    return [without_scripts(each) for each in value] if isinstance(value, list) else value


def _without_script(key: str, value: Any) -> Any:
    if key == "custom_data":
        return CUSTOM_DATA
    if key == "startup-script" and "\n#file " in value:
        files = (each.splitlines() for each in value.split("\n#file ")[1:])
        facts = {name.split()[1]: lines for name, *lines in files}
        return {name: [line[1:] for line in facts[name]] for name in SETTINGS if name in facts}
    return without_scripts(value)


@pytest.mark.parametrize("case", cases(), ids=lambda path: path.stem)
def test_golden(case: Path, stacks: StacksOf, request: pytest.FixtureRequest) -> None:
    golden = GOLDENS / f"{case.stem}.tf.json"
    made = {folder.name: without_scripts(read_stack(folder / "cdk.tf.json")) for folder in stacks(case)}
    stack = made if len(made) > 1 else next(iter(made.values()))
    if request.config.getoption("--update-goldens"):
        golden.write_text(json.dumps(stack, indent=2) + "\n", "utf-8")
    assert stack == json.loads(golden.read_text("utf-8")), (
        "if this is meant: make goldens, and review the difference"
    )


def test_plans(request: pytest.FixtureRequest) -> None:
    """The only one of these tests in `make quick`: a change of resolve, or of a script, is noticed there."""
    made = {case.stem: plan_hash(case) for case in cases()}
    if request.config.getoption("--update-goldens"):
        PLANS.write_text(json.dumps(made, indent=2) + "\n", "utf-8")
    expected: dict[str, str] = json.loads(PLANS.read_text("utf-8"))
    changed = [name for name in sorted({*made, *expected}) if made.get(name) != expected.get(name)]
    assert not changed, (
        f"the plans of {', '.join(changed)} have changed; if this is meant: make goldens, and review the "
        "difference (pytest tests/test_goldens.py -k test_plans --update-goldens where no stack changes)"
    )


def plan_hash(case: Path) -> str:
    """A hash of the plans of a blueprint, with the text of each script; the same on every machine."""
    plans = [each.plan for each in plan_all(examine([case]).results)]
    encoded = msgspec.json.encode(plans, order="deterministic")
    return hashlib.sha256(encoded.replace(SOURCES.encode(), b"(sources)")).hexdigest()


def test_every_golden_has_its_blueprint() -> None:
    assert {file.name.removesuffix(".tf.json") for file in GOLDENS.glob("*.tf.json")} == {
        case.stem for case in cases()
    }


@pytest.mark.slow
def test_goldens_can_stand_side_by_side() -> None:
    """Other tests synthesize all of them at once: each has a name and a state of its own."""
    found = examine([GOLDENS]).diagnostics
    assert [each.message for each in found if each.severity is Severity.ERROR] == []
