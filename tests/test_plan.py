"""`clusterprint plan --simulate`: real Terraform, simulated cloud, for a pull request without credentials."""

import subprocess
from pathlib import Path

import pytest
from support import BLUEPRINTS, Run
from test_lives import GKE

from clusterprint.exit_codes import Code
from clusterprint_simcloud import Fault, World
from clusterprint_simcloud.cloud import faults
from clusterprint_simcloud.cloud.contents import Record

GOOD = (BLUEPRINTS / "vm-smallest.yaml").read_text("utf-8")

pytestmark = pytest.mark.terraform


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(
        ["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *arguments],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A git repository with one blueprint and a file that it carries."""
    (tmp_path / "blueprints" / "files").mkdir(parents=True)
    (tmp_path / "blueprints" / "files" / "a.txt").write_text("one")
    (tmp_path / "blueprints" / "first.yaml").write_text(GOOD + "files: [{source: ./files}]\n")
    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "begin")
    return tmp_path


def test_a_new_cluster_is_all_creates_and_says_that_it_is_simulated(
    clusterprint: Run, tmp_path: Path
) -> None:
    done = clusterprint("plan", BLUEPRINTS / "vm-smallest.yaml", "--simulate", cwd=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("Simulated: ")
    assert "Stack first" in done.stdout
    assert "0 to change, 0 to destroy." in done.stdout
    assert not list(tmp_path.iterdir())


def test_without_a_change_nothing_is_planned(clusterprint: Run, repository: Path) -> None:
    done = clusterprint("plan", "--simulate", "--from", "HEAD", cwd=repository)
    assert done.returncode == 0, done.stderr
    assert "No changes." in done.stdout


def test_a_change_since_a_revision(clusterprint: Run, repository: Path) -> None:
    file = repository / "blueprints" / "first.yaml"
    file.write_text(file.read_text().replace("a2-highgpu-1g", "a2-highgpu-2g"))
    (repository / "blueprints" / "files" / "a.txt").write_text("two")
    done = clusterprint("plan", "--simulate", "--from", "HEAD", cwd=repository)
    assert done.returncode == 0, done.stderr
    assert "google_compute_instance_template.template must be replaced" in done.stdout
    assert 'google_storage_bucket_object.files["files/a.txt"]' in done.stdout
    assert "google_compute_network.primary" not in done.stdout


def test_a_brief_plan_has_one_line_for_each_change(clusterprint: Run, repository: Path) -> None:
    file = repository / "blueprints" / "first.yaml"
    file.write_text(file.read_text().replace("a2-highgpu-1g", "a2-highgpu-2g") + "labels: {team: research}\n")
    (repository / "blueprints" / "second.yaml").write_text(GOOD.replace("name: first", "name: second"))
    done = clusterprint("plan", "--simulate", "--brief", "--from", "HEAD", cwd=repository)
    assert done.returncode == 0, done.stderr
    head, *changes = done.stdout.partition("\nsecond: ")[0].splitlines()
    assert head == f"first: {len(changes)} changes"
    assert any(
        "/" in each and "google_compute_instance_template.template (forced by " in each for each in changes
    )
    assert any(each.startswith("  ~ ") and each.endswith(")") for each in changes)
    assert "  + google_compute_network.primary" in done.stdout.partition("\nsecond: ")[2].splitlines()
    assert not any("<=" in each for each in changes)


def test_a_cluster_that_is_gone_is_destroyed(clusterprint: Run, repository: Path) -> None:
    (repository / "blueprints" / "second.yaml").write_text(GOOD.replace("name: first", "name: second"))
    (repository / "blueprints" / "first.yaml").unlink()
    done = clusterprint("plan", "--simulate", "--from", "HEAD", cwd=repository)
    assert done.returncode == 0, done.stderr
    assert "0 to add, 0 to change" in done.stdout
    assert "Stack second" in done.stdout


def test_a_wrong_blueprint_is_not_planned(clusterprint: Run, tmp_path: Path) -> None:
    file = tmp_path / "wrong.yaml"
    file.write_text(GOOD.replace("zone: us-central1-a", "zone: us-east4-b"))
    done = clusterprint("plan", file, "--simulate")
    assert (done.returncode, done.stdout) == (1, "")
    assert "GCP001" in done.stderr


@pytest.mark.parametrize("revision", ["nowhere", "--output=/tmp/x", ""])
def test_an_unknown_revision_is_wrong_usage(clusterprint: Run, repository: Path, revision: str) -> None:
    done = clusterprint("plan", "--simulate", f"--from={revision}", cwd=repository)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr


def test_outside_of_a_repository_there_is_no_earlier_version(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "one.yaml").write_text(GOOD)
    done = clusterprint("plan", "one.yaml", "--simulate", "--from", "HEAD", cwd=tmp_path)
    assert done.returncode == 2
    assert "no git repository" in done.stderr


def test_a_plan_of_what_exists_changes_nothing(clusterprint: Run, tmp_path: Path) -> None:
    """Two stacks, in an environment that leads into a simulated cloud, and in the folder of one."""
    file = tmp_path / "gke.yaml"
    file.write_text(GKE)
    with World("my-terraform-state", folder=tmp_path / "sim", keep=True) as world:
        real = {**world.environment, "XDG_STATE_HOME": str(tmp_path / "home")}

        def made() -> list[Record]:
            return [each for each in world.cloud.read().records.values() if not each.builtin]

        def plan(*options: str, expect: Code = Code.DONE) -> tuple[str, str]:
            before = made()
            done = clusterprint("plan", file, *options, env=real, cwd=tmp_path)
            assert done.returncode == expect, done.stdout + done.stderr
            assert made() == before
            return done.stdout, done.stderr

        said, _ = plan("--read-only")
        assert "Stack bench-cluster\n" in said
        assert " to add, 0 to change, 0 to destroy." in said
        assert "Stack bench-workloads" not in said
        assert said.endswith("planned once those above exist: bench-workloads\n")
        done = clusterprint("up", file, "--yes", env=real, cwd=tmp_path)
        assert done.returncode == 0, done.stdout + done.stderr
        said, _ = plan("--brief", "--detailed-exitcode")
        assert said.splitlines() == ["bench-cluster: 0 changes", "bench-workloads: 0 changes"]
        file.write_text(GKE.replace("count: 1}", "count: 1, node_labels: {team: a}}"))
        assert plan("--brief", "--detailed-exitcode", expect=Code.CHANGES)[0].splitlines() == [
            "bench-cluster: 1 change",
            "  ~ google_container_node_pool.pool-workers (node_config)",
            "bench-workloads: 0 changes",
        ]
        assert "google_container_node_pool.pool-workers will be updated in-place" in plan()[0]
        faults.install(world.cloud, [Fault("read", "google_container_cluster", error="403 denied")])
        said, why = plan(expect=Code.FAILED)
        assert "[bench-cluster] plan failed" in why
        assert "403 denied" in why
    done = clusterprint("plan", file, "--simulate", tmp_path / "sim", "--brief", cwd=tmp_path)
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "bench-cluster: 1 change")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--from", "HEAD"), "--from compares with an earlier version in an empty simulated cloud"),
        (("--simulate", "--read-only"), "--read-only is for a cloud that others use"),
        (("--simulate", "cloud"), "one that `up --simulate DIR` has made"),
    ],
)
def test_options_that_say_nothing_together(clusterprint: Run, options: tuple[str, ...], said: str) -> None:
    done = clusterprint("plan", BLUEPRINTS / "vm-smallest.yaml", *options)
    assert done.returncode == 2
    assert said in done.stderr


def test_without_terraform_it_says_what_to_install(clusterprint: Run, tmp_path: Path) -> None:
    done = clusterprint("plan", BLUEPRINTS / "vm-smallest.yaml", "--simulate", env={"PATH": str(tmp_path)})
    assert done.returncode == 3
    assert "terraform" in done.stderr
