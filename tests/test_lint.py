"""`clusterprint lint`: validate, and --fix applies fixes that are unambiguous."""

from pathlib import Path

import pytest
from support import BLUEPRINTS, ROOT, Run

from clusterprint.fixes import fix
from clusterprint.load import load
from clusterprint.validate import validate

GOOD = """\
clusterprint: v1
kind: vm
name: dev
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: my-state-1}}
nodes:  # the only ones
  machine_type: a2-highgpu-1g
  count: 2
  capacity: {model: spot, max_run_duration: 2d}
"""


def fixed(text: str) -> str:
    return fix(text, "x.yaml", Path("x.yaml"), Path()).text


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("kind: vm", "kind: vmm"),
        ("project:", "projet:"),
        ("us-central1\n", "us-cental1\n"),
        ("us-central1-a", "us-central1a"),
        ("machine_type:", "machineType:"),
        ("a2-highgpu-1g", "a2-higgpu-1g"),
        ("count: 2", 'count: "2"'),
        ("spot", "Spot"),
        ("2d", "2 days"),
        ("nodes:", "nodes: "),
        ("  # the only ones", "  # clusterprint: ignore[GCP041] not needed"),
        ("nodes:  # the only ones", "# clusterprint: ignore[GCP041] not needed\nnodes:"),
    ],
)
def test_what_can_only_be_meant_in_one_way_is_written(right: str, wrong: str) -> None:
    assert right in GOOD
    after = fixed(GOOD.replace(right, wrong, 1))
    assert after in (GOOD, GOOD.replace("  # the only ones", ""), GOOD.replace("nodes:", "nodes: "))


NAMES = """\
clusterprint: v1
kind: gke
name: dev
project: my-project
region: us-central1
backend: {gcs: {bucket: my-state-1}}
node_pools: [{name: workers, machine_type: n2-standard-8, zones: [us-central1-a], count: 2}]
compute_classes: [{name: cheap, prefer: [workers]}]
image_builds: [{name: trainer, context: .}]
storage: {volumes: [{name: scratch, kind: bucket, mount: /scratch}], may_lose: [scratch]}
workloads:
  kueue:
    priorities: [{name: urgent, value: 10}]
    local_queues: [{name: teams, quotas: [{pool: workers, nodes: 2}]}]
  mpi:
    jobs:
      - {name: hpl, image: i, workers: 2, command: [x], node_pool: workers, queue: teams, priority: urgent}
      - {name: hpcc, image: i, workers: 2, command: [x], launcher_node_pool: system}
  jobset: {}
  jobsets:
    - {name: train, build: trainer, command: [x], node_pool: workers, queue: teams}
    - {name: test, build: trainer, command: [x], mounts: [{volume: scratch}]}
"""


@pytest.fixture
def context(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder to build images from: the current one."""
    (tmp_path / "Dockerfile").write_text("FROM scratch\n")
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("context")
@pytest.mark.parametrize(
    ("written", "wrong"),
    [
        ("[workers]}]\nimage", "[worker]}]\nimage"),
        ("{pool: workers", "{pool: wokers"),
        ("node_pool: workers, queue: teams, priority", "node_pool: worker, queue: teams, priority"),
        ("launcher_node_pool: system", "launcher_node_pool: sytem"),
        ("queue: teams, priority", "queue: team, priority"),
        ("priority: urgent", "priority: urgnt"),
        ("{name: test, build: trainer", "{name: test, build: traner"),
        ("node_pool: workers, queue: teams}", "node_pool: workesr, queue: teams}"),
        ("volume: scratch", "volume: scrach"),
        ("may_lose: [scratch]", "may_lose: [scrtch]"),
        ("queue: teams}", "queue: tems}"),
    ],
)
def test_a_misspelt_name_of_anything_in_the_blueprint_is_fixed(written: str, wrong: str) -> None:
    assert NAMES.count(written) == 1
    assert fixed(NAMES.replace(written, wrong)) == NAMES


@pytest.mark.usefixtures("context")
def test_all_misspelt_names_of_a_blueprint_are_fixed_at_once() -> None:
    wrong = NAMES.replace("node_pool: workers", "node_pool: worker").replace(
        "volume: scratch", "volume: scrach"
    )
    wrong = wrong.replace("queue: teams", "queue: tems").replace("build: trainer", "build: traner")
    assert wrong.count("worker,") == wrong.count("tems") == wrong.count("traner") == 2
    assert fixed(wrong) == NAMES


SHARED = """\
clusterprint: v1
kind: gke
name: dev
project: my-project
region: us-central1
backend: {gcs: {bucket: my-state-1}}
network:
  existing: {name: shared, subnetwork: nodes, pod_range: pods, service_range: services}
node_pools:
  - name: cpu
    machine_type: n2-standard-8
    zones: [us-central1-a]
    count: 2
"""


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("  existing", "  mtu: 1460\n  existing"),
        ("  existing", "  nat: true\n  cidr: 10.0.0.0/14\n  existing"),
        ("  - name: cpu\n", "  - fast_socket: true\n    name: cpu\n"),
        ("count: 2\n", "count: 2\n    fast_socket: true\n"),
    ],
)
def test_a_setting_that_does_nothing_goes(right: str, wrong: str) -> None:
    assert SHARED.count(right) == 1
    assert fixed(SHARED.replace(right, wrong)) == SHARED


def test_the_only_settings_of_a_map_leave_an_empty_map() -> None:
    queues = "workloads:\n  kueue:\n    preemption:\n      reclaim: never\n      within_queue: never\n"
    assert fixed(SHARED + queues) == f"{SHARED}workloads:\n  kueue:\n    preemption: {{}}\n"


def test_a_setting_is_left_where_an_alias_says_it_elsewhere() -> None:
    text = SHARED.replace("network:\n", "x-network: &all\n  mtu: 1460\nnetwork:\n  <<: *all\n")
    again = fix(text, "x.yaml", Path("x.yaml"), Path())
    assert again == (text, ())


def test_settings_of_an_existing_cluster_go_and_leave_no_null() -> None:
    pools = SHARED[SHARED.index("node_pools") :]
    head = (
        SHARED[: SHARED.index("network")] + "cluster: {existing: {name: platform, location: us-central1}}\n"
    )
    wrong = f"{head}network:\n  nat: false\n  mtu: 1460  # of the owner\nsystem_pool: {{}}\n{pools}"
    assert fixed(wrong) == f"{head}network: {{}}  # of the owner\n{pools}"


def test_all_at_once_and_what_was_hidden_behind_it() -> None:
    wrong = GOOD.replace("region: us-central1", "regoin: us-cental1").replace("nodes:", "nods:")
    assert fixed(wrong.replace("spot", "spto")) == GOOD


@pytest.mark.parametrize(
    ("right", "unclear"),
    [
        ("a2-highgpu-1g", "a2-highgpu-3g"),
        ("a2-highgpu-1g", "h100"),
        ("us-central1-a", "us-central1-x"),
        ("count: 2", "count: many"),
        ("name: dev", "name: dev\nlable: {}\nlabels: {}"),
        ("project: my-project\n", ""),
    ],
)
def test_what_may_be_meant_in_several_ways_is_left(right: str, unclear: str) -> None:
    text = GOOD.replace(right, unclear, 1)
    assert fixed(text) == text


@pytest.mark.slow
def test_a_blueprint_without_problems_is_left() -> None:
    for file in sorted(BLUEPRINTS.glob("vm*.yaml")):
        text = load(file).text
        assert fix(text, file.name, file, file.parent) == (text, ())


@pytest.mark.slow
@pytest.mark.parametrize("folder", ["schema", "load"])
def test_fixing_makes_nothing_worse(folder: str) -> None:
    for file in sorted((ROOT / "tests" / "cases" / folder).rglob("*.yaml")):
        loaded = load(file)
        if loaded.document is None:
            continue
        before = validate(loaded.document).diagnostics
        after = fix(loaded.text, file.name, file, file.parent)
        assert fix(after.text, file.name, file, file.parent).done == (), file
        if not after.done:
            assert after.text == loaded.text
        elif before:
            assert after.text != loaded.text


def test_fix_writes_the_file_and_says_what(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "dev.yaml"
    file.write_text(GOOD.replace("project:", "projet:"), "utf-8")
    before = clusterprint("lint", file)
    assert before.returncode == 1
    assert "would try to fix 1 problem" in before.stderr
    done = clusterprint("lint", "--fix", file)
    assert done.returncode == 0
    assert f"{file}:4: wrote project [BP102]" in done.stderr
    assert file.read_text("utf-8") == GOOD
    file.write_text(f"{SHARED}    fast_socket: true\n", "utf-8")
    done = clusterprint("lint", "--fix", file)
    assert f"{file}:14: removed fast_socket [GKE036] fast_socket does not apply" in done.stderr
    assert file.read_text("utf-8") == SHARED
    file.write_text(f"{GOOD}storage:\n  buckets:\n    - name: sets\n", "utf-8")
    done = clusterprint("lint", "--fix", file)
    assert f"{file}:13: rewrote lines 13 to 14 [BP102] unknown key 'buckets' in storage" in done.stderr


TPUS = """\
clusterprint: v1
kind: gke
name: dev
project: my-project
region: us-central1
zone: us-central1-b
backend: {gcs: {bucket: my-state-1}}
"""
BLOCK = """\
node_pools:
  - machine_type: v6e-16  # as XPK calls it
    name: slices
    capacity: {model: spot}
"""
FLOW = "node_pools: [{name: slices, machine_type: tpu-v6e-8%s, capacity: {model: spot}}]\n"


@pytest.mark.parametrize(
    ("pool", "fixed"),
    [
        (
            BLOCK,
            BLOCK.replace("v6e-16 ", "ct6e-standard-4t\n    tpu: {topology: 4x4} "),
        ),
        (FLOW % "", FLOW.replace("tpu-v6e-8%s", "ct6e-standard-4t, tpu: {topology: 2x4}")),
        (
            FLOW % ", tpu: {topology: 2x4}",
            FLOW.replace("tpu-v6e-8%s", "ct6e-standard-4t, tpu: {topology: 2x4}"),
        ),
    ],
    ids=["block", "flow", "with its topology"],
)
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_a_slice_of_xpk_gets_its_machine_type_and_its_topology(
    tmp_path: Path, pool: str, fixed: str, end: str
) -> None:
    before, wanted = (each.replace("\n", end) for each in (TPUS + pool, TPUS + fixed))
    after = fix(before, "slices.yaml", tmp_path / "slices.yaml", tmp_path)
    assert after.text == wanted
    assert [each.code for each in after.done] == ["GCP002"]


def test_another_topology_is_for_people(tmp_path: Path) -> None:
    text = TPUS + FLOW % ", tpu: {topology: 4x4}"
    assert fix(text, "slices.yaml", tmp_path / "slices.yaml", tmp_path).text == text


def test_standard_input_cannot_be_fixed(clusterprint: Run) -> None:
    assert clusterprint("lint", "--fix", "-").returncode == 2
