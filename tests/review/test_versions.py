"""Which versions of blueprints are compared, and what is said where one cannot be read; without Terraform."""

import json

import pytest
from review.conftest import SMALLEST, TEAM, Changes, Repository, actions, risks

pytestmark = pytest.mark.slow


def test_a_renamed_file_changes_nothing(repository: Repository) -> None:
    repository.git("mv", "blueprints/team.yaml", "blueprints/crew.yaml")
    report = repository.review()
    assert report["verdict"]["exit_code"] == 0
    team = next(each for each in report["clusters"] if each["name"] == "team")
    assert team["files"] == ["blueprints/team.yaml", "blueprints/crew.yaml"]
    assert "moved from blueprints/team.yaml to blueprints/crew.yaml" in team["notes"][0]


def test_a_blueprint_with_errors(repository: Repository, changes: Changes) -> None:
    repository.edit("team.yaml", "zone: us-central1-a", "zone: us-east4-b")
    repository.edit("first.yaml", "a2-highgpu-1g", "a2-highgpu-2g")
    report = repository.review()
    assert report["verdict"]["level"] == "problems"
    assert report["verdict"]["exit_code"] == 1
    assert ("GCP001", "head") in {(each["code"], each["side"]) for each in report["problems"]}
    assert changes(report, "team") == {}
    assert len(changes(report, "first")) == 2
    assert "not_comparable" in risks(report)


def test_an_earlier_version_with_errors(repository: Repository) -> None:
    repository.edit("team.yaml", "zone: us-central1-a", "zone: us-east4-b")
    repository.commit()
    repository.git("branch", "--force", "main", "change")
    repository.edit("team.yaml", "zone: us-east4-b", "zone: us-central1-a")
    report = repository.review()
    assert report["verdict"]["exit_code"] == 4
    assert {each["side"] for each in report["problems"]} == {"base"}
    assert "not_comparable" in risks(report)
    assert report["clusters"][1]["causes"][0]["place"]["key"] == "zone"


def test_a_base_without_blueprints(empty: Repository, changes: Changes) -> None:
    empty.write("team.yaml", TEAM.replace("file: ./setup.sh", "inline: '#!/bin/sh'"))
    report = empty.review()
    assert set(actions(changes(report, "team")).values()) == {"added"}
    assert any("no blueprints at main" in note for note in report["notes"])


def test_all_blueprints_are_gone(repository: Repository, changes: Changes) -> None:
    repository.git("rm", "-r", "--quiet", "blueprints")
    report = repository.review()
    assert changes(report, "team") == {}
    assert {each["status"] for each in report["clusters"]} == {"orphaned"}
    assert report["verdict"]["exit_code"] == 4


def test_no_blueprints_at_all_are_no_review(empty: Repository) -> None:
    done = empty.run("--base", "HEAD")
    assert done.returncode == 2
    assert "there are no blueprints to compare, at HEAD" in done.stderr
    assert "nothing changes" not in done.stdout


def test_folders_can_be_compared(repository: Repository, changes: Changes) -> None:
    (repository.folder / "old").mkdir()
    (repository.folder / "old" / "first.yaml").write_text(SMALLEST)
    done = repository.review("--base", "./old", "--head", "blueprints")
    assert set(actions(changes(done, "team")).values()) == {"added"}


def test_the_work_tree_is_left_alone(repository: Repository) -> None:
    repository.edit("team.yaml", "count: 2", "count: 3")
    before = repository.git("status", "--porcelain")
    repository.review()
    assert repository.git("status", "--porcelain") == before


def test_wrong_usage(repository: Repository) -> None:
    for arguments in ([], ["--base", "nowhere"], ["--base", "main", "-"], ["--head", "main"]):
        done = repository.run(*arguments)
        assert done.returncode == 2, arguments
        assert "Traceback" not in done.stderr


def test_a_name_that_is_a_branch_and_a_folder_is_refused(repository: Repository) -> None:
    (repository.folder / "main").mkdir()
    done = repository.run("--base", "main")
    assert done.returncode == 2
    assert "./main" in done.stderr


def test_blueprints_at_the_top_of_a_repository(empty: Repository, changes: Changes) -> None:
    file = empty.folder / "team.yaml"
    file.write_text(SMALLEST)
    empty.commit()
    file.write_text(SMALLEST.replace("a2-highgpu-1g", "a2-highgpu-2g"))
    report = empty.review("team.yaml")
    assert (
        changes(report, "first")["google_compute_instance_template.template"]["place"]["file"] == "team.yaml"
    )


def test_a_review_can_be_run_from_a_folder_of_the_repository(repository: Repository) -> None:
    repository.edit("team.yaml", "count: 2", "count: 3")
    done = repository._run(  # noqa: SLF001 - in another folder
        "review", "--base", "main", "--format", "json", ".", cwd=repository.folder / "blueprints"
    )
    assert done.returncode == 4, done.stderr
    assert '"file": "team.yaml"' in done.stdout


def test_a_plan_is_put_in_the_place_of_the_comparison(repository: Repository, changes: Changes) -> None:
    repository.edit("team.yaml", "count: 2", "count: 3")
    repository.edit("first.yaml", "a2-highgpu-1g", "a2-highgpu-2g")
    address = 'google_compute_per_instance_config.group_node["team-2"]'
    entry = {
        "address": address,
        "type": "google_compute_per_instance_config",
        "change": {"actions": ["create"], "before": None, "after": {"name": "team-2"}},
    }
    drift = {**entry, "change": {"actions": ["update"], "before": {"name": "x"}, "after": {"name": "y"}}}
    plan = {"format_version": "1.2", "resource_changes": [entry], "resource_drift": [drift]}
    (repository.folder / "team.json").write_text(json.dumps(plan))
    report = repository.review("--plan", "team.json")
    assert [each["sort"] for each in report["sources"]] == ["synthesized", "terraform plan"]
    found = changes(report, "team")
    assert found[address]["place"]["key"] == "nodes.count"
    assert "drift" in risks(report)
    assert len(changes(report, "first")) == 2
    assert any("no Terraform plan of first" in note for note in report["notes"])


@pytest.mark.parametrize("text", ["nodes: [\n", "", "- a list\n"])
def test_a_blueprint_that_cannot_be_read_is_not_one_that_is_gone(
    repository: Repository, changes: Changes, text: str
) -> None:
    repository.write("team.yaml", text)
    report = repository.review()
    assert report["verdict"]["exit_code"] == 1
    assert changes(report, "team") == {}
    assert set(risks(report)) == {"not_comparable"}


def test_an_earlier_version_that_cannot_be_read_does_not_make_a_cluster_new(
    repository: Repository, changes: Changes
) -> None:
    repository.write("team.yaml", "nodes: [\n")
    repository.commit()
    repository.git("branch", "--force", "main", "change")
    repository.write("team.yaml", TEAM)
    report = repository.review()
    assert report["verdict"]["exit_code"] == 4
    assert changes(report, "team") == {}


AZURE = """\
clusterprint: v1
kind: vmss
name: azure
subscription: 00000000-0000-0000-0000-000000000000
location: southcentralus
backend: {gcs: {bucket: my-state}}
nodes: {size: Standard_NC24ads_A100_v4, count: 2}
admin:
  ssh_public_key: {inline: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY}
head_node: {ssh_source_ranges: [203.0.113.0/24]}
storage: {volumes: [{name: home, kind: azure_files, mount: /shared}]}
"""


@pytest.mark.parametrize(("was", "now"), [("4.55.0", "5.2.0"), ("5.2.0", "4.55.0")])
def test_another_version_of_a_provider(empty: Repository, changes: Changes, was: str, now: str) -> None:
    """Arguments that only have another name do not change; the report says what does."""
    text = AZURE + "terraform: {azurerm_provider: VERSION}\n"
    empty.write("azure.yaml", text.replace("VERSION", was))
    empty.commit()
    empty.write("azure.yaml", text.replace("VERSION", now))
    report = empty.review()
    assert changes(report, "azure") == {}
    (cluster,) = report["clusters"]
    assert cluster["status"] == "changed"
    (note,) = [each for each in cluster["notes"] if "azurerm" in each]
    assert f"changes from {was} to {now}." in note
    assert "`network_interface.accelerated_networking_enabled` and `service_endpoint.service`" in note
    assert ("there may be no way back" in note) is (now < was)
    assert not [each for each in cluster["notes"] if "required_providers" in each]


def test_a_version_of_a_provider_that_is_not_known(empty: Repository, changes: Changes) -> None:
    empty.write("first.yaml", SMALLEST)
    empty.commit()
    empty.write("first.yaml", f"{SMALLEST}terraform: {{google_provider: 7.52.1}}\n")
    report = empty.review()
    assert changes(report, "first") == {}
    assert "not known here: the first plan shows it" in " ".join(report["clusters"][0]["notes"])
