"""`clusterprint init` writes a blueprint that validates, and `init state` the bucket that it names."""

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from clouds import Clouds, login_file, served
from support import BLUEPRINTS, ROOT, Run

from clusterprint import catalog
from clusterprint.examine import examine
from clusterprint.starter import Start, blueprint, zone_of
from clusterprint.validate.schemas import ALL, whole_schema

PROJECT = ("--project", "my-gpu-project")
AZURE = (
    *("--kind", "vmss", "--subscription", "11111111-2222-3333-4444-555555555555"),
    *("--state-bucket", "my-terraform-state", "--ssh-public-key", BLUEPRINTS / "cluster.pub"),
)


@pytest.mark.parametrize(
    "options",
    [
        ("--kind", "vm", *PROJECT),
        ("--kind", "gke", *PROJECT, "--region", "us-east4"),
        ("--kind", "ray", *PROJECT, "--zone", "us-east5-b", "--machine-type", "ct6e-standard-4t"),
        ("--kind", "vm", *PROJECT, "--machine-type", "a3-ultragpu-8g", "--name", "h200"),
        AZURE,
    ],
    ids=["vm", "gke", "ray", "sold-as-spot", "vmss"],
)
def test_what_is_written_validates_as_it_is(
    clusterprint: Run, tmp_path: Path, options: tuple[str | Path, ...]
) -> None:
    made = clusterprint("init", tmp_path / "clusters", *options)
    assert (made.returncode, made.stderr) == (0, "")
    (file,) = (tmp_path / "clusters").glob("*.yaml")
    assert f"wrote {file}" in made.stdout
    assert len(file.read_text().splitlines()) < 16
    checked = clusterprint("validate", "--strict", tmp_path / "clusters")
    assert (checked.returncode, checked.stderr) == (0, "")
    first = file.read_text().partition("\n")[0]
    schema = file.parent / first.removeprefix("# yaml-language-server: $schema=")
    assert schema.read_text() == whole_schema(ALL)


@pytest.mark.parametrize("kind", ["vm", "gke"])
def test_any_machine_type_that_can_be_had_without_a_reservation_starts(kind: str, tmp_path: Path) -> None:
    for machine in catalog.machines():
        sold = {model for model, yes in machine.capacity.items() if yes is not False} - {"reservation"}
        zone = zone_of(machine.name, "")
        if not sold or not zone or machine.gpus < 1 or machine.notes.startswith("The bandwidth"):
            continue
        region = catalog.region_of(zone)
        start = Start(kind, machine.name, "my-gpu-project", region, zone, machine.name, "my-state")
        (tmp_path / f"{machine.name}.yaml").write_text(blueprint(start._replace(name="x"), "s.json"))
    broken = {
        each.place.file: each.message
        for file in sorted(tmp_path.iterdir())
        for each in examine([file]).diagnostics
        if each.severity.name == "ERROR"
    }
    assert broken == {}


def test_nothing_is_overwritten(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "first.yaml").write_text("mine")
    done = clusterprint("init", tmp_path, "--kind", "vm", *PROJECT)
    assert (done.returncode, done.stdout) == (2, "")
    assert "first.yaml exists already, and nothing is overwritten" in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == ["first.yaml"]
    assert (tmp_path / "first.yaml").read_text() == "mine"


def test_a_second_cluster_stands_beside_the_first(clusterprint: Run, tmp_path: Path) -> None:
    for name in ("one", "two"):
        done = clusterprint("init", tmp_path, "--kind", "vm", *PROJECT, "--name", name)
        assert done.returncode == 0, done.stderr
    assert clusterprint("validate", "--strict", tmp_path).returncode == 0
    twin = clusterprint("init", tmp_path, "--kind", "gke", *PROJECT, "--name", "one")
    assert twin.returncode == 2
    (tmp_path / "one.yaml").rename(tmp_path / "other.yaml")
    twin = clusterprint("init", tmp_path, "--kind", "vm", *PROJECT, "--name", "one")
    assert (twin.returncode, "FL001" in twin.stderr) == (1, True)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ((), "there is no terminal to ask on: add --kind, --project"),
        (("--kind", "vmss"), "add --subscription, --state-bucket, --ssh-public-key"),
        (("--kind", "vm", *PROJECT, "--location", "x"), "--location does not apply to kind vm"),
        (
            ("--kind", "vm", "--project", "my-project", "--region", "us-centrall1"),
            "no zone of region us-centrall1 is known: did you mean us-central1? Or add --zone",
        ),
        (("--kind", "vmss", "--ssh-public-key", ROOT / "Makefile"), "is not a public SSH key"),
    ],
)  # fmt: skip
def test_what_is_missing_is_said_at_once(
    clusterprint: Run, tmp_path: Path, options: tuple[str, ...], said: str
) -> None:
    done = clusterprint("init", tmp_path / "new", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr
    assert not (tmp_path / "new").exists()


def test_what_would_not_validate_is_not_written(clusterprint: Run, tmp_path: Path) -> None:
    done = clusterprint("init", tmp_path / "new", "--kind", "vm", *PROJECT, "--name", "../Out")
    assert done.returncode == 1
    assert "error[" in done.stderr
    assert "nothing is written: this would not validate" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_texts_that_mean_something_in_yaml_stay_texts(tmp_path: Path) -> None:
    start = Start("vm", "on", "a: b", "us-central1", "us-central1-a", "a2-highgpu-1g", '"\n#x')
    file = tmp_path / "x.yaml"
    file.write_text(blueprint(start, "s.json"))
    (result,) = examine([file]).results
    assert (result.document.data["name"], result.document.data["project"]) == ("on", "a: b")
    assert result.document.data["backend"]["gcs"]["bucket"] == '"\n#x'


@pytest.mark.process
def test_on_a_terminal_it_asks(tmp_path: Path) -> None:
    ours, theirs = pty.openpty()
    answers = "gke\ndemo\nmy-gpu-project\n\nus-east4\n\n\n"
    os.write(ours, answers.encode())
    done = subprocess.run(
        [sys.executable, "-m", "clusterprint", "init", tmp_path],
        stdin=theirs,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    os.close(ours)
    os.close(theirs)
    assert done.returncode == 0, done.stderr
    assert "Machine type [g2-standard-8]: " in done.stderr
    text = (tmp_path / "demo.yaml").read_text()
    assert "kind: gke" in text
    assert "region: us-east4" in text


def test_defaults_that_will_be_laid_under_it_count(clusterprint: Run, tmp_path: Path) -> None:
    (tmp_path / "clusterprint.defaults.yaml").write_text("network: {nme: shared}\n")
    done = clusterprint("init", tmp_path, "--kind", "vm", *PROJECT)
    assert done.returncode == 1
    assert "unknown key 'nme' in network" in done.stderr
    assert "nothing is written" in done.stderr
    assert not list(tmp_path.glob("first.yaml"))


def test_a_name_that_no_file_can_have_is_a_mistake_like_any_other(clusterprint: Run, tmp_path: Path) -> None:
    done = clusterprint("init", tmp_path, "--kind", "vm", *PROJECT, "--name", "a" * 300)
    assert (done.returncode, "is not a cluster name" in done.stderr) == (1, True)


# ---- the bucket of the state


@pytest.fixture
def clouds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Clouds]:
    """A Cloud Storage in which there is no bucket."""
    found = Clouds()
    with served(found) as address:
        monkeypatch.setenv("CLUSTERPRINT_GOOGLE_API", address)
        monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(login_file(tmp_path, address)))
        yield found


@pytest.fixture
def labelled(tmp_path: Path) -> Path:
    """A blueprint with labels."""
    file = tmp_path / "team.yaml"
    file.write_text((BLUEPRINTS / "vm-smallest.yaml").read_text() + "labels: {team: ml}\n")
    return file


def test_the_bucket_is_made_as_it_should_be(clusterprint: Run, clouds: Clouds, labelled: Path) -> None:
    made = clusterprint("init", "state", labelled)
    assert (made.returncode, made.stderr) == (0, "")
    assert made.stdout.startswith("created gs://my-terraform-state in us-central1")
    ((query, body),) = clouds.bodies
    assert query == {"project": ["my-gpu-project"]}
    assert body == {
        "name": "my-terraform-state",
        "location": "us-central1",
        "labels": {"team": "ml", "clusterprint": "state"},
        "iamConfiguration": {
            "uniformBucketLevelAccess": {"enabled": True},
            "publicAccessPrevention": "enforced",
        },
        "versioning": {"enabled": True},
        "softDeletePolicy": {"retentionDurationSeconds": 604800},
    }
    again = clusterprint("init", "state", labelled)
    assert (again.returncode, again.stdout) == (0, "gs://my-terraform-state exists, and is as it should be\n")
    assert len(clouds.bodies) == 1


def test_a_bucket_that_is_there_is_adopted_and_fixed_only_when_asked(
    clusterprint: Run, clouds: Clouds, labelled: Path
) -> None:
    clouds.buckets["my-terraform-state"] = {"name": "my-terraform-state", "versioning": {"enabled": True}}
    found = clusterprint("init", "state", labelled)
    assert found.returncode == 1
    assert "access is not uniform" in found.stdout
    assert "gcloud storage buckets update gs://my-terraform-state --public-access-prevention" in found.stdout
    assert "versioning is off" not in found.stdout
    assert clouds.bodies == []
    fixed = clusterprint("init", "state", labelled, "--fix")
    assert (fixed.returncode, fixed.stderr) == (0, "")
    assert clouds.bodies == [
        {
            "iamConfiguration": {
                "uniformBucketLevelAccess": {"enabled": True},
                "publicAccessPrevention": "enforced",
            },
            "softDeletePolicy": {"retentionDurationSeconds": 604800},
        }
    ]
    assert clusterprint("init", "state", labelled).returncode == 0


def test_a_bucket_of_somebody_else_is_left_alone(clusterprint: Run, clouds: Clouds, labelled: Path) -> None:
    denied = 403, {"error": {"message": "me@example.com does not have storage.buckets.get access"}}
    clouds.on("GET", r"/storage/storage/v1/b/([^/]+)", denied)
    done = clusterprint("init", "state", labelled)
    assert (done.returncode, done.stdout) == (3, "")
    assert "belongs to somebody else, or you may not see it" in done.stderr


@pytest.mark.usefixtures("clouds")
def test_commands_are_printed_instead(clusterprint: Run, labelled: Path) -> None:
    done = clusterprint("init", "state", labelled, "--print", "--location", "EU")
    assert done.stdout == (
        "gcloud storage buckets create gs://my-terraform-state --project=my-gpu-project --location=EU "
        "--uniform-bucket-level-access --public-access-prevention --soft-delete-duration=7d\n"
        "gcloud storage buckets update gs://my-terraform-state --versioning "
        "--update-labels=team=ml,clusterprint=state\n"
    )


KEY = "projects/security/locations/us-central1/keyRings/data/cryptoKeys/state"


def test_the_state_has_a_key_of_its_own(clusterprint: Run, clouds: Clouds, labelled: Path) -> None:
    printed = clusterprint("init", "state", labelled, "--kms-key", KEY, "--print").stdout.splitlines()
    grant = f"gcloud storage service-agent --project=my-gpu-project --authorize-cmek={KEY}"
    assert printed[0] == grant
    assert printed[1].endswith(f" --default-encryption-key={KEY}")
    made = clusterprint("init", "state", labelled, "--kms-key", KEY)
    assert (made.returncode, made.stderr) == (0, "")
    assert clouds.bodies[0][1]["encryption"] == {"defaultKmsKeyName": KEY}
    assert clusterprint("init", "state", labelled, "--kms-key", KEY).returncode == 0
    other = clusterprint("init", "state", labelled, "--kms-key", f"{KEY}2")
    assert other.returncode == 1
    assert (
        f"gcloud storage buckets update gs://my-terraform-state --default-encryption-key={KEY}2"
        in other.stdout
    )
    assert clusterprint("init", "state", labelled, "--kms-key", f"{KEY}2", "--fix").returncode == 0
    assert clouds.bodies[1:] == [{"encryption": {"defaultKmsKeyName": f"{KEY}2"}}]


def test_a_key_that_cloud_storage_may_not_use_is_explained(
    clusterprint: Run, clouds: Clouds, labelled: Path
) -> None:
    denied = 403, {"error": {"message": "Permission denied on Cloud KMS key. Please ensure that ..."}}
    clouds.on("POST", r"/storage/storage/v1/b", denied)
    done = clusterprint("init", "state", labelled, "--kms-key", KEY)
    assert done.returncode == 3
    assert f"gcloud storage service-agent --project=my-gpu-project --authorize-cmek={KEY}" in done.stderr
    assert "belongs to somebody else" not in done.stderr


@pytest.mark.parametrize(
    ("key", "more", "message"),
    [
        ("keys/state", (), "is not the full name of a key in Cloud KMS"),
        (KEY, ("--location", "us-east5"), "name a key of a key ring in us-east5"),
        (KEY, ("--location", "EU"), "name a key of a key ring in europe"),
    ],
)
def test_a_key_has_to_fit_the_bucket(
    clusterprint: Run, labelled: Path, key: str, more: tuple[str, ...], message: str
) -> None:
    done = clusterprint("init", "state", labelled, "--kms-key", key, *more)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_simulated_bucket_has_its_key(clusterprint: Run, labelled: Path, tmp_path: Path) -> None:
    done = clusterprint("init", "state", labelled, "--kms-key", KEY, "--simulate", tmp_path / "cloud")
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("created gs://my-terraform-state in us-central1 of the simulated cloud")


def test_a_cluster_on_azure_has_to_say_where_its_bucket_is(clusterprint: Run) -> None:
    done = clusterprint("init", "state", BLUEPRINTS / "vmss-h200.yaml")
    assert done.returncode == 2
    assert "add --location and --project" in done.stderr
