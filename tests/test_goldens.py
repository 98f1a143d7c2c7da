"""Each blueprint in tests/goldens and in blueprints/ makes exactly the Terraform JSON beside it.

`make goldens` rewrites the expectations; the difference is reviewed like code.
"""

import json
from pathlib import Path

import pytest
from support import BLUEPRINTS, Run, read_stack

GOLDENS = Path(__file__).parent / "goldens"
CASES = sorted([*BLUEPRINTS.glob("*.yaml"), *GOLDENS.glob("*.yaml")])


@pytest.fixture(scope="session")
def made(clusterprint: Run, synthesized: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The stack file of each case, by the name of its blueprint file."""
    out = tmp_path_factory.mktemp("goldens") / "cdktf.out"
    done = clusterprint("synth", GOLDENS, "--out", out)
    assert done.returncode == 0, done.stderr
    stacks = {}
    for case in CASES:
        name = next(
            line.split(": ")[1] for line in case.read_text("utf-8").splitlines() if line.startswith("name: ")
        )
        folder = synthesized if case.parent == BLUEPRINTS else out / "stacks"
        stacks[case.name] = folder / name / "cdk.tf.json"
    return stacks


@pytest.mark.xdist_group("synth")
@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_golden(case: Path, made: dict[str, Path], request: pytest.FixtureRequest) -> None:
    golden = GOLDENS / f"{case.stem}.tf.json"
    stack = read_stack(made[case.name])
    if request.config.getoption("--update-goldens"):
        golden.write_text(json.dumps(stack, indent=2) + "\n", "utf-8")
    assert stack == json.loads(golden.read_text("utf-8")), (
        "if this is meant: make goldens, and review the difference"
    )


def test_every_golden_has_its_blueprint() -> None:
    assert {file.name.removesuffix(".tf.json") for file in GOLDENS.glob("*.tf.json")} == {
        case.stem for case in CASES
    }
