"""Two versions of blueprints in a real git repository, compared without Terraform."""

import re

import pytest
from review.conftest import SMALLEST, STORED, Changes, Repository, actions, risks
from support import GOLDENS

pytestmark = pytest.mark.slow

GKE = """\
clusterprint: v1
kind: gke
name: hpl
project: my-gpu-project
region: us-east4
backend: {gcs: {bucket: my-terraform-state}}
network: {cidr: 10.84.0.0/14}
cluster:
  authorized_networks: [{name: office, cidr: 203.0.113.0/24}]
node_pools:
  - name: workers
    machine_type: n2-standard-4
    zones: [us-east4-a, us-east4-b]
    count: 4
    boot_disk: {size_gb: 100}
"""

WITH_WORKLOADS = f"{GKE}workloads:\n  jobset: {{}}\n"

# Where an apply waits for the nodes of a group, again for another number of them.
WAITED_FOR = "terraform_data.group_arrival"


def test_nothing_changes(repository: Repository) -> None:
    report = repository.review()
    assert report["verdict"]["level"] == "nothing"
    assert report["verdict"]["exit_code"] == 0
    assert {each["status"] for each in report["clusters"]} == {"unchanged"}
    assert report["risks"] == []


def test_an_added_cluster(repository: Repository, changes: Changes) -> None:
    repository.write("second.yaml", SMALLEST.replace("name: first", "name: second\nlabels: {a: b}"))
    report = repository.review()
    found = changes(report, "second")
    assert set(actions(found).values()) == {"added"}
    assert report["verdict"]["exit_code"] == 4
    assert report["verdict"]["counts"]["added"] == len(found)
    group = found["google_compute_instance_group_manager.group"]
    assert group["place"]["file"] == "blueprints/second.yaml"
    assert group["place"]["key"] == "nodes"
    assert all(not each["groups"] for each in report["clusters"] if each["name"] != "second")


def test_a_resized_pool(repository: Repository, changes: Changes) -> None:
    repository.edit("team.yaml", "count: 2", "count: 1")
    report = repository.review()
    found = changes(report, "team")
    node = 'google_compute_per_instance_config.group_node["team-1"]'
    assert actions(found) == {node: "removed", WAITED_FOR: "replaced"}
    change = found[node]
    assert (change["place"]["line"], change["place"]["key"]) == (11, "nodes.count")
    (cause,) = report["clusters"][1]["causes"]
    assert (cause["before"], cause["after"]) == ("2", "1")
    assert risks(report)["nodes_removed"] == "medium"
    row = next(each for each in report["capacity"] if each["before"] != each["after"])
    assert (row["before"]["accelerators"], row["after"]["accelerators"]) == (17, 9)
    assert report["cost"]["per_hour"] == -29.39
    assert report["cost"]["per_month"] == -21452.57


def test_a_changed_machine_type(repository: Repository, changes: Changes) -> None:
    repository.edit("team.yaml", "a2-highgpu-8g", "a2-highgpu-4g")
    report = repository.review()
    found = changes(report, "team")
    template = found["google_compute_instance_template.template"]
    assert template["action"] == "replaced"
    assert template["create_first"]
    # What nodes are told of themselves changes with the machine: they set themselves up.
    assert [each["path"] for each in template["forced_by"]] == ["machine_type", "metadata.startup-script"]
    assert template["forced_by"][0]["source"]
    value, _ = template["values"]
    assert (value["before"]["text"], value["after"]["text"]) == ("a2-highgpu-8g", "a2-highgpu-4g")
    group = found["google_compute_instance_group_manager.group"]
    assert group["action"] == "changed"
    assert group["values"][0]["after"]["state"] == "unknown"
    assert group["place"]["key"] == "nodes.machine_type"
    assert risks(report)["template_changed"] == "low"
    assert report["cost"]["per_hour"] == -29.39


def test_a_changed_zone(repository: Repository, changes: Changes) -> None:
    repository.edit("team.yaml", "zone: us-central1-a", "zone: us-central1-b")
    report = repository.review()
    found = actions(changes(report, "team"))
    assert found["google_compute_instance_group_manager.group"] == "replaced"
    assert found['google_compute_per_instance_config.group_node["team-0"]'] == "replaced"
    assert "google_compute_network.primary" not in found
    assert risks(report)["pool_replaced"] == "high"


def test_a_removed_bucket(repository: Repository, changes: Changes) -> None:
    repository.edit("team.yaml", STORED, "")
    report = repository.review()
    found = changes(report, "team")
    assert found["google_storage_bucket.bucket-team-checkpoints"]["action"] == "removed"
    assert found["google_storage_bucket.bucket-team-checkpoints"]["place"]["side"] == "base"
    worst = report["risks"][0]
    assert (worst["sort"], worst["name"]) == ("data_loss", "bucket_removed")
    assert worst["message"].endswith("because it is protected, and may have changed other things before")


def test_labels_only(repository: Repository, changes: Changes) -> None:
    repository.edit("team.yaml", "labels: {team: ml}", "labels: {team: research}")
    report = repository.review()
    found = changes(report, "team")
    bucket = found["google_storage_bucket.bucket-team-checkpoints"]
    assert bucket["action"] == "changed"
    assert [each["path"] for each in bucket["values"]] == ["labels.team"]
    assert bucket["place"]["key"] == "labels.team"
    assert "data_loss" not in {each["sort"] for each in report["risks"]}


def test_two_clusters_in_one_change(repository: Repository, changes: Changes) -> None:
    repository.edit("team.yaml", "count: 2", "count: 3")
    repository.edit("first.yaml", "a2-highgpu-1g", "a2-highgpu-2g")
    report = repository.review()
    assert set(changes(report, "team")) == {
        'google_compute_per_instance_config.group_node["team-2"]',
        WAITED_FOR,
    }
    assert len(changes(report, "first")) == 2


def test_added_nodes_may_boot_a_newer_image(repository: Repository) -> None:
    repository.edit("team.yaml", "count: 2", "count: 4")
    (found,) = (each for each in repository.review()["risks"] if each["name"] == "image_differs")
    assert found["severity"] == "low"
    assert found["message"] == (
        "2 new nodes of team-nodes may boot a newer image than the running ones, with another kernel and "
        "driver: image family ubuntu-accelerator-2404-amd64-with-nvidia-580 moves"
    )


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("count: 2", "count: 1"),
        ("count: 2", "count: 4\n  image: {project: my-images, name: trainer-v12}"),
    ],
)
def test_nodes_that_are_alike_are_not_named(repository: Repository, before: str, after: str) -> None:
    repository.edit("team.yaml", before, after)
    assert "image_differs" not in risks(repository.review())


def test_each_change_points_at_the_difference_behind_it(repository: Repository, changes: Changes) -> None:
    repository.edit("team.yaml", "count: 2", "count: 3")
    repository.edit(
        "team.yaml", "cidr: 10.64.0.0/16", "cidr: 10.64.0.0/16\n  ssh_source_ranges: [198.51.100.0/24]"
    )
    report = repository.review()
    keys = {address: each["place"]["key"] for address, each in changes(report, "team").items()}
    assert keys == {
        'google_compute_per_instance_config.group_node["team-2"]': "nodes.count",
        WAITED_FOR: "nodes.count",
        "google_compute_firewall.primary_ssh": "network.ssh_source_ranges",
    }


def test_a_renamed_cluster_is_another_cluster(repository: Repository, changes: Changes) -> None:
    repository.edit("team.yaml", "name: team\n", "name: crew\n")
    report = repository.review()
    assert set(actions(changes(report, "crew")).values()) == {"added"}
    assert changes(report, "team") == {}
    (orphaned,) = (each for each in report["risks"] if each["name"] == "cluster_orphaned")
    assert "; crew is another cluster, which is built beside it" in orphaned["message"]
    assert "keep its blueprint and its name" in orphaned["help"]


def test_a_removed_blueprint_destroys_nothing(repository: Repository) -> None:
    before = repository.review()
    (repository.folder / "blueprints" / "team.yaml").unlink()
    report = repository.review()
    assert report["verdict"]["exit_code"] == 4
    assert report["verdict"]["line"] == (
        "no resource changes, 1 cluster left without a blueprint, 1 serious risk"
    )
    (team,) = (each for each in report["clusters"] if each["name"] == "team")
    assert (team["status"], team["groups"], team["counts"]["removed"]) == ("orphaned", [], 0)
    # Nothing is saved, and no room is made for anything else.
    assert report["capacity"] == before["capacity"]
    assert (report["cost"]["per_hour"], report["cost"]["rows"]) == (0, before["cost"]["rows"])
    (risk,) = report["risks"]
    assert (risk["name"], risk["severity"]) == ("cluster_orphaned", "high")
    assert risk["message"].startswith("cluster team has no blueprint any more, and nothing is destroyed")
    assert "its 2 nodes" in risk["message"]
    assert "gs://my-terraform-state/clusterprint/team/team" in risk["message"]
    assert "run clusterprint down team before this change is merged" in risk["help"]
    where = "gs://my-terraform-state/clusterprint/team/team"
    assert f"or clusterprint down --state {where}" in risk["help"]
    assert (risk["place"]["file"], risk["place"]["side"]) == ("blueprints/team.yaml", "base")


def test_the_stacks_of_a_cluster_are_destroyed_in_reverse(empty: Repository) -> None:
    empty.write("hpl.yaml", WITH_WORKLOADS)
    empty.commit()
    (empty.folder / "blueprints" / "hpl.yaml").unlink()
    (risk,) = empty.review()["risks"]
    first_inside = r"down --state \S+/hpl-workloads\S* and then \S+ down --state \S+/hpl-cluster"
    assert re.search(first_inside, risk["help"])


def test_each_risk_of_a_pool_points_at_its_own_line(empty: Repository) -> None:
    empty.write("hpl.yaml", GKE)
    empty.commit()
    empty.edit("hpl.yaml", "[us-east4-a, us-east4-b]", "[us-east4-a, us-east4-c]")
    empty.edit("hpl.yaml", "count: 4", "count: 6")
    empty.edit("hpl.yaml", "size_gb: 100", "size_gb: 200")
    found = {each["name"]: each for each in empty.review()["risks"]}
    assert {name: (each["severity"], each["place"]["key"]) for name, each in found.items()} == {
        "nodes_moved": ("high", "node_pools.workers.zones"),
        "nodes_restarted": ("medium", "node_pools.workers.boot_disk.size_gb"),
    }
    assert "leaves us-east4-b for us-east4-a, us-east4-c" in found["nodes_moved"]["message"]
    assert "its 2 nodes there go" in found["nodes_moved"]["message"]


def test_nodes_that_gke_makes_pools_for_count_at_their_most(empty: Repository) -> None:
    blueprint = (GOLDENS / "gke-auto-created.yaml").read_text("utf-8")
    empty.write("made.yaml", blueprint)
    empty.commit()
    empty.edit("made.yaml", "max_nodes: 4", "max_nodes: 6")
    empty.edit("made.yaml", "max_nodes: 8", "max_nodes: 7")
    report = empty.review()
    (gpus,) = (row for row in report["capacity"] if row["unit"] == "GPU")
    assert [gpus[side]["most_accelerators"] for side in ("before", "after")] == [2 + 4 * 2, 2 + 6 * 2]
    (cpus,) = (row for row in report["capacity"] if (row["family"], row["model"]) == ("CPU n2", "on_demand"))
    assert (cpus["before"]["most_nodes"], cpus["after"]["most_nodes"]) == (8, 7)
    # Fewer of them at most stops nothing that runs.
    assert {each["name"] for each in report["risks"]} == {"quota_needed", "workload_changed"}
    boxes = {box["title"]: box for each in report["clusters"] for box in each["diagram"]["boxes"]}
    assert boxes["l4-created"]["lines"][0] == "0 to 4 -> 0 to 6 nodes"


def test_a_range_of_a_running_cluster_cannot_change(empty: Repository) -> None:
    empty.write("hpl.yaml", GKE)
    empty.commit()
    empty.edit("hpl.yaml", "{cidr: 10.84.0.0/14}", "{cidr: 10.84.0.0/14, pod_cidr: 10.86.0.0/16}")
    (risk,) = empty.review()["risks"]
    assert (risk["name"], risk["severity"]) == ("range_in_use", "high")
    assert "from 10.84.0.0/15 to 10.86.0.0/16" in risk["message"]
    assert risk["place"]["key"] == "network.pod_cidr"


def test_a_stack_that_is_needed_no_more_is_left_as_it_is(empty: Repository, changes: Changes) -> None:
    empty.write("hpl.yaml", WITH_WORKLOADS)
    empty.commit()
    empty.write("hpl.yaml", WITH_WORKLOADS.partition("workloads:")[0])
    report = empty.review()
    assert not any("helm_release" in address for address in changes(report, "hpl"))
    assert risks(report)["stack_orphaned"] == "medium"
    assert "workload_removed" not in risks(report)


def test_a_changed_script_is_shown_as_what_changed(repository: Repository, changes: Changes) -> None:
    secret = "correct-horse"  # noqa: S105 - so that it can be looked for
    repository.write("setup.sh", f"#!/bin/bash\necho one\nexport DB_PASSWORD={secret}\necho three\n")
    done = repository.run("--base", "main", "--format", "json")
    assert secret not in done.stdout
    report = repository.review()
    template = changes(report, "team")["google_compute_instance_template.template"]
    (value,) = template["values"]
    assert value["path"] == "metadata.clusterprint-startup-script"
    lines = [(each["sign"], each["text"]) for each in value["diff"]]
    assert ("removed", "echo two") in lines
    assert ("added", f"export DB_PASSWORD={'*' * len(secret)}") in lines
    assert template["place"]["key"].startswith("startup_script")


def test_reports_are_the_same_every_time(repository: Repository) -> None:
    repository.edit("team.yaml", "count: 2", "count: 3")
    for form in ("text", "markdown", "json"):
        first, second = (repository.run("--base", "main", "--format", form).stdout for _ in range(2))
        assert first == second
        assert str(repository.folder) not in first


def test_a_state_that_is_looked_for_elsewhere(repository: Repository) -> None:
    repository.edit("team.yaml", "bucket: my-terraform-state", "bucket: my-other-state")
    report = repository.review()
    assert risks(report)["state_moved"] == "critical"
    assert report["verdict"]["exit_code"] == 4
