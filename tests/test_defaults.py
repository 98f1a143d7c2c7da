"""`clusterprint.defaults.yaml`: what the blueprints of a folder have in common."""

import json
import subprocess
from pathlib import Path

import pytest
from support import Run

DEFAULTS = "clusterprint.defaults.yaml"
BLUEPRINT = "clusterprint: v1\nkind: vm\nname: {name}\nnodes: {{machine_type: a2-highgpu-1g}}\n"
SHARED = """\
project: my-project
region: us-central1
zone: us-central1-a
backend: {gcs: {bucket: shared-state}}
labels: {team: ml, cost-center: one}
"""


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """Two folders of blueprints: defaults above both, and in one."""
    (tmp_path / ".git").mkdir()
    (tmp_path / DEFAULTS).write_text(SHARED, "utf-8")
    for folder, names in (("blueprints", ("a", "b")), ("blueprints/eu", ("c",))):
        (tmp_path / folder).mkdir()
        for number, name in enumerate(names):
            cidr = f"10.{len(folder)}{number}.0.0/16"
            text = f"{BLUEPRINT.format(name=f'{name}-one')}network: {{cidr: {cidr}}}\n"
            (tmp_path / folder / f"{name}.yaml").write_text(text, "utf-8")
    (tmp_path / "blueprints" / "eu" / DEFAULTS).write_text(
        "clusterprint: v1\nregion: europe-west4\nzone: europe-west4-a\nlabels: {team: eu}\n", "utf-8"
    )
    return tmp_path


def values(clusterprint: Run, repository: Path, blueprint: str) -> dict[str, tuple[object, str]]:
    shown = clusterprint("show", blueprint, "--format", "json", cwd=repository)
    assert shown.returncode == 0, shown.stderr
    found = json.loads(shown.stdout)["values"]
    return {".".join(map(str, each["place"])): (each["value"], each["origin"]) for each in found}


def test_the_nearer_one_counts_and_maps_are_joined(clusterprint: Run, repository: Path) -> None:
    found = values(clusterprint, repository, "blueprints/a.yaml")
    assert found["project"] == ("my-project", f"{DEFAULTS}:1")
    assert found["name"] == ("a-one", "blueprints/a.yaml:3")
    assert found["labels"][0] == {"team": "ml", "cost-center": "one"}
    other = values(clusterprint, repository, "blueprints/eu/c.yaml")
    assert other["region"] == ("europe-west4", f"blueprints/eu/{DEFAULTS}:2")
    assert other["project"] == ("my-project", f"{DEFAULTS}:1")
    assert other["labels"][0] == {"team": "eu", "cost-center": "one"}


def test_the_blueprint_has_the_last_word(clusterprint: Run, repository: Path) -> None:
    file = repository / "blueprints" / "a.yaml"
    file.write_text(file.read_text("utf-8") + "zone: us-central1-f\nlabels: {team: mine}\n", "utf-8")
    found = values(clusterprint, repository, "blueprints/a.yaml")
    assert found["zone"] == ("us-central1-f", "blueprints/a.yaml:6")
    assert found["labels"][0] == {"team": "mine", "cost-center": "one"}


def test_all_validate_together_from_anywhere(clusterprint: Run, repository: Path) -> None:
    assert clusterprint("validate", "--strict", cwd=repository).returncode == 0
    assert clusterprint("validate", "--strict", ".", cwd=repository / "blueprints").returncode == 0
    listed = json.loads(clusterprint("list", "--format", "json", cwd=repository).stdout)["clusters"]
    assert [each["name"] for each in listed] == ["a-one", "b-one", "c-one"]


def problems(clusterprint: Run, repository: Path) -> list[tuple[str, str, int]]:
    done = clusterprint("validate", "--format", "json", cwd=repository)
    assert done.returncode in (0, 1), done.stderr
    return [(each["code"], each["file"], each["line"]) for each in json.loads(done.stdout)["diagnostics"]]


def test_a_mistake_points_into_the_file_of_defaults_and_is_said_once(
    clusterprint: Run, repository: Path
) -> None:
    shared = repository / DEFAULTS
    shared.write_text(SHARED.replace("us-central1-a", "us-central1-x"), "utf-8")
    assert problems(clusterprint, repository) == [("GCP091", DEFAULTS, 3)]
    text = clusterprint("validate", cwd=repository).stdout
    assert "3 | zone: us-central1-x" in text


def test_a_key_for_all_has_to_fit_each_region(clusterprint: Run, repository: Path) -> None:
    file = repository / DEFAULTS
    key = "projects/security/locations/us-central1/keyRings/data/cryptoKeys/all"
    file.write_text(file.read_text("utf-8") + f"kms_key: {key}\ngrant_kms_key: false\n", "utf-8")
    found = values(clusterprint, repository, "blueprints/a.yaml")
    assert found["kms_key"] == (key, f"{DEFAULTS}:6")
    assert found["grant_kms_key"] == (False, f"{DEFAULTS}:7")
    done = clusterprint("validate", ".", cwd=repository)
    assert done.returncode == 1
    assert done.stdout.count("error[GCP170]") == 1
    assert "the key is in us-central1, but the cluster is in europe-west4" in done.stdout


def test_what_a_cluster_is_only_its_blueprint_says(clusterprint: Run, repository: Path) -> None:
    (repository / DEFAULTS).write_text(f"{SHARED}nodes: {{count: 2}}\nprojet: x\n", "utf-8")
    assert problems(clusterprint, repository) == [("BP260", DEFAULTS, 6), ("BP260", DEFAULTS, 7)]


def test_of_defaults_that_cannot_be_read_only_that_is_said(clusterprint: Run, repository: Path) -> None:
    (repository / DEFAULTS).write_text("project: [\n", "utf-8")
    assert [code for code, *_ in problems(clusterprint, repository)] == ["BP013"]


def test_nothing_outside_of_the_repository_is_read(
    clusterprint: Run, repository: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    outside = tmp_path_factory.mktemp("outside") / "secrets.yaml"
    outside.write_text(SHARED.replace("my-project", "not-to-be-seen"), "utf-8")
    (repository / DEFAULTS).unlink()
    (repository / DEFAULTS).symlink_to(outside)
    assert [code for code, *_ in problems(clusterprint, repository)] == ["BP240"]
    assert "not-to-be-seen" not in clusterprint("validate", cwd=repository).stdout
    (repository.parent / DEFAULTS).write_text("project: above-the-root\n", "utf-8")
    (repository / DEFAULTS).unlink()
    (repository / DEFAULTS).write_text(SHARED.replace("project: my-project\n", ""), "utf-8")
    assert {code for code, *_ in problems(clusterprint, repository)} == {"BP103"}
    (repository.parent / DEFAULTS).unlink()


def test_a_pipe_keeps_nobody_waiting(clusterprint: Run, repository: Path) -> None:
    import os

    (repository / DEFAULTS).unlink()
    os.mkfifo(repository / DEFAULTS)
    assert [code for code, *_ in problems(clusterprint, repository)] == ["BP002"]


def test_a_secret_in_defaults_is_found_and_never_shown(clusterprint: Run, repository: Path) -> None:
    secret = f"AKIA{'Q' * 12}ABCD"
    (repository / DEFAULTS).write_text(f"{SHARED}# {secret}\n", "utf-8")
    done = clusterprint("validate", cwd=repository)
    assert f"{DEFAULTS}:6" in done.stdout
    assert "looks like" in done.stdout
    assert secret not in done.stdout + done.stderr


def test_a_warning_in_defaults_is_ignored_there(clusterprint: Run, repository: Path) -> None:
    other = SHARED.replace("us-central1-a", "us-central1-x")
    (repository / DEFAULTS).write_text(other, "utf-8")
    assert problems(clusterprint, repository) == [("GCP091", DEFAULTS, 3)]
    ignored = other.replace("central1-x", "central1-x  # clusterprint: ignore[GCP091] it is new")
    (repository / DEFAULTS).write_text(ignored, "utf-8")
    assert problems(clusterprint, repository) == []


def test_keys_of_other_kinds_are_left_out(clusterprint: Run, repository: Path) -> None:
    (repository / DEFAULTS).write_text(
        f"{SHARED}subscription: 00000000-0000-0000-0000-000000000000\nlocation: eastus\n", "utf-8"
    )
    assert problems(clusterprint, repository) == []


def test_settings_of_terraform_that_a_kind_does_not_have_are_left_out(
    clusterprint: Run, repository: Path
) -> None:
    told = f"{SHARED}terraform: {{google_provider: 7.45.0, kubernetes_provider: 3.2.1}}\n"
    (repository / DEFAULTS).write_text(told, "utf-8")
    assert problems(clusterprint, repository) == [], "the blueprints are of kind vm"
    (repository / "blueprints/k.yaml").write_text(
        "clusterprint: v1\nkind: gke\nname: k\nnetwork: {cidr: 10.64.0.0/16}\n", "utf-8"
    )
    assert problems(clusterprint, repository) == [("GCP163", DEFAULTS, 6)]
    (repository / DEFAULTS).write_text(told.replace("kubernetes_provider", "kubernetes"), "utf-8")
    assert ("BP102", DEFAULTS, 6) in problems(clusterprint, repository), "no kind has it"


def test_a_review_compares_what_defaults_make_of_blueprints(clusterprint: Run, repository: Path) -> None:
    (repository / ".git").rmdir()
    git = ("git", "-c", "user.name=t", "-c", "user.email=t@example.com")
    for command in (("init", "-q", "-b", "main"), ("add", "."), ("commit", "-q", "-m", "one")):
        subprocess.run([*git, *command], cwd=repository, check=True, capture_output=True)
    (repository / DEFAULTS).write_text(SHARED.replace("team: ml", "team: other"), "utf-8")
    done = clusterprint("review", "--base", "main", "--format", "json", cwd=repository)
    report = json.loads(done.stdout)
    found = {each["name"]: each for each in report["clusters"]}
    # The team of c-one is said by nearer defaults.
    assert [name for name, each in found.items() if each["status"] == "changed"] == ["a-one", "b-one"]
    (cause,) = found["a-one"]["causes"]
    assert (cause["place"]["file"], cause["place"]["line"], cause["after"]) == (DEFAULTS, 5, "other")
    unchanged = clusterprint("review", "--base", "main", "--head", "main", cwd=repository)
    assert unchanged.returncode == 0, unchanged.stdout
