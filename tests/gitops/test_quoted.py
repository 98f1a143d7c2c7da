"""Names, messages and plans of a change are no commands to GitHub's runner in any job."""

from pathlib import Path

import pytest
from composite import Runner
from forges import WRITER, Forge
from pull_request import Repository
from ruamel.yaml import YAML
from stand_ins import Answer, StandIns

from clusterprint.gitops.fill import Values, fill

pytestmark = pytest.mark.process

WORKFLOWS = {
    Path(each.template.file).stem: each.text
    for each in fill(["github"], Values("team/clusterprint@v1", "blueprints", "main"))
}
JOBS = [
    (name, job)
    for name, text in WORKFLOWS.items()
    if name != "clusterprint"  # which uses the action: see test_action_hostile.py
    for job in YAML(typ="safe", pure=True).load(text)["jobs"]
]
FILE = "blueprints/first.yaml"
NEEDS = {
    "find": {"outputs": {"code": "4", "removed": f'["{FILE}"]'}},
    "plan": {"outputs": {"blueprints": f'["{FILE}"]', "standing": f'["{FILE}"]'}},
}

#: A clusterprint that repeats what a blueprint says, everywhere and whatever it is asked for.
HOSTILE = """\
#!/bin/sh
verb="$1"
for line in '::error::said' 'cluster ##[error]said' '::set-env name=A::said' '##[set-output name=a;]said'; do
  printf '%s\\n' "$line" "$line" >&2
  printf '%s\\n' "$line"
done
while [ $# -gt 1 ]; do
  case "$1 $2" in
    "--out "*/cdktf.out)
      mkdir -p "$2/stacks/first"
      echo '{"terraform": {"backend": {"gcs": {}}}}' > "$2/stacks/first/cdk.tf.json" ;;
    "--out "*.json)
      cluster='{"status": "changed", "previous_name": "old", "files": ["blueprints/first.yaml"]}'
      echo '{"clusters": ['"$cluster"']}' > "$2" ;;
    "--write-approval "*) echo '{}' > "$2" ;;
  esac
  shift
done
[ "$verb" = synth ] || exit 4
"""


@pytest.mark.parametrize("job", JOBS, ids=" ".join)
def test_nothing_that_is_quoted_is_a_command(
    job: tuple[str, str], repository: Repository, forge: Forge, tools: Path, tmp_path: Path
) -> None:
    hostile = "::error::said\na ##[error]Error: said\nError: x\r::error::said"
    programs = StandIns(
        tmp_path / "bin",
        terraform=[Answer("plan", hostile, err=hostile, code=1), Answer("", hostile)],
        gcloud=[Answer("", hostile, err=hostile)],
        gh=[Answer("")],
    )
    command = programs.folder / "clusterprint"
    command.write_text(HOSTILE)
    command.chmod(0o755)
    repository.propose({"README.md": "more\n"})
    setup = {"command": str(command), "python": str(tools / "bin/python")}
    inputs = {"pull_request": "7", "include_data": "false", "blueprints": "", "allow": ""}
    (tmp_path / "temporary").mkdir()
    runner = Runner(
        repository.checkout(tmp_path / "workspace"),
        tmp_path / "temporary",
        {**repository.event(), "inputs": inputs, "before": "0" * 40},
        {
            **programs.first,
            "GITHUB_GRAPHQL_URL": f"{forge.url}/graphql",
            "GITHUB_REPOSITORY": "team/clusters",
        },
        {"team/clusterprint/setup": lambda _: setup},
        token=WRITER,
        repository="team/clusters",
        ref="refs/heads/main",
        server_url="https://forge",
    )
    variables = dict.fromkeys(
        ("GCP_WORKLOAD_IDENTITY_PROVIDER", "GCP_APPLY_SERVICE_ACCOUNT", "GCP_DESTROY_SERVICE_ACCOUNT"), "x"
    )
    ran = runner.job(WORKFLOWS[job[0]], variables, job[1], needs=NEEDS, matrix={"blueprint": FILE})
    assert ran.steps
    told = [each for each in ran.annotations if "said" in str(each)]
    assert [each for each in told if "cannot be planned: a" not in each[2]] == [], ran.printed
