"""Slurm of Cluster Toolkit becomes groups of machines and `bootstrap.slurm`; each loss is told."""

import json
from pathlib import Path
from typing import Any

import pytest
from support import Run
from toolkit_examples import Module, Row, module, rdma_net

from clusterprint.importing.check import check
from clusterprint.importing.formats import Text, translate
from clusterprint.importing.work import Translated
from clusterprint.importing.write import text_of

COMPUTE, SCHEDULER = "compute/schedmd-slurm-gcp-v6", "scheduler/schedmd-slurm-gcp-v6"
PLACE = {"region": "us-central1", "zone": "us-central1-a"}


def nodeset(name: str = "work_nodeset", use: tuple[str, ...] = ("net",), /, **settings: Any) -> Module:
    return module(f"{COMPUTE}-nodeset", name, use, **{"machine_type": "n2-standard-4", **settings})


def partition(*nodesets: str, **settings: Any) -> Module:
    named = {"partition_name": "work", "exclusive": False, **settings}
    return module(f"{COMPUTE}-partition", f"{named['partition_name']}_partition", nodesets, **named)


def controller(*use: str, **settings: Any) -> Module:
    return module(f"{SCHEDULER}-controller", "slurm_controller", ("net", *use), **settings)


def login(**settings: Any) -> Module:
    return module(f"{SCHEDULER}-login", "slurm_login", ("net",), **settings)


def imported(*modules: Module, **variables: Any) -> Translated:
    row = Row("00", "cluster", {**PLACE, **variables}, [module("network/vpc", "net"), *modules])
    return translate([Text("x.yaml", json.dumps(row.text, indent=1))], "toolkit", {})


def cluster(settings: dict[str, Any], *more: Module, **of_partition: Any) -> Translated:
    """A cluster with one set of nodes and one partition."""
    return imported(
        nodeset(**settings), partition("work_nodeset", **of_partition), *more, controller("work_partition")
    )


def group(translated: Translated, name: str = "work") -> dict[str, Any]:
    return next(each for each in translated.data["node_groups"] if each["name"] == name)


def told(translated: Translated) -> list[str]:
    assert {each.severity for each in translated.findings} <= {"loss"}
    return [each.message for each in translated.findings]


def holds(translated: Translated, folder: Path) -> None:
    found = check(text_of(translated, ["x.yaml"]), folder / "x.yaml", translated)
    assert [each.message for each in found if each.severity == "error"] == []


def test_a_cluster_is_groups_and_partitions(tmp_path: Path) -> None:
    translated = imported(
        module("file-system/filestore", "homefs", ("net",), local_mount="/home"),
        nodeset("debug_nodeset", node_count_dynamic_max=4, allow_automatic_updates=False),
        nodeset(machine_type="c2-standard-60", node_conf={"CoresPerSocket": 30}),
        partition("debug_nodeset", partition_name="debug", is_default=True),
        module(f"{COMPUTE}-partition", "work_partition", ("work_nodeset",), partition_name="work"),
        login(machine_type="n2-standard-8", enable_login_public_ips=True, num_instances=2),
        controller("debug_partition", "work_partition", "homefs", "slurm_login", disk_size_gb=100),
        enable_slurm_auth=True,
    )
    assert told(translated) == []
    holds(translated, tmp_path)
    disk = {"type": "pd-standard", "size_gb": 50}
    assert translated.data["node_groups"] == [
        {
            "name": "controller",
            "machine_type": "c2-standard-4",
            "count": 1,
            "boot_disk": {"type": "pd-ssd", "size_gb": 100},
            "threads_per_core": 1,
        },
        {
            "name": "login",
            "machine_type": "n2-standard-8",
            "count": 2,
            "boot_disk": {"type": "pd-ssd", "size_gb": 50},
            "threads_per_core": 1,
            "public_ip": True,
        },
        {
            "name": "debug",
            "machine_type": "n2-standard-4",
            "count": 4,
            "boot_disk": disk,
            "threads_per_core": 1,
        },
        {
            "name": "work",
            "machine_type": "c2-standard-60",
            "count": 10,
            "boot_disk": disk,
            "threads_per_core": 1,
        },
    ]
    assert translated.data["bootstrap"]["slurm"] == {
        "controller": "controller",
        "accounting": {},
        "power_saving": {"groups": ["debug", "work"], "idle": "5m"},
        "partitions": [
            {"name": "debug", "groups": ["debug"], "default": True},
            {"name": "work", "groups": ["work"], "exclusive": True},
        ],
    }
    assert translated.data["storage"]["volumes"][0]["mount"] == "/home"


def test_nodes_that_always_run_are_the_first_of_the_only_set(tmp_path: Path) -> None:
    translated = cluster({"node_count_static": 2, "node_count_dynamic_max": 5})
    assert group(translated)["count"] == 7
    assert translated.data["bootstrap"]["slurm"]["power_saving"] == {
        "static": 2,
        "groups": ["work"],
        "idle": "5m",
    }
    holds(translated, tmp_path)
    still = cluster({"node_count_static": 2, "node_count_dynamic_max": 0})
    assert (group(still)["count"], "power_saving" in still.data["bootstrap"]["slurm"]) == (2, False)
    holds(still, tmp_path)


def test_of_several_sets_they_are_a_group_of_their_own(tmp_path: Path) -> None:
    """`static` counts for all groups."""
    translated = imported(
        nodeset(node_count_static=2, node_count_dynamic_max=5),
        nodeset("other_nodeset", node_count_dynamic_max=3),
        partition("work_nodeset", "other_nodeset"),
        controller("work_partition"),
    )
    counts = {each["name"]: each["count"] for each in translated.data["node_groups"]}
    assert counts == {"controller": 1, "work": 2, "work-more": 5, "other": 3}
    slurm = translated.data["bootstrap"]["slurm"]
    assert slurm["partitions"][0]["groups"] == ["work", "work-more", "other"]
    assert slurm["power_saving"] == {"groups": ["work-more", "other"], "idle": "5m"}
    assert "&" not in text_of(translated, ["x.yaml"])  # no anchors
    holds(translated, tmp_path)


@pytest.mark.parametrize(
    ("settings", "why"),
    [
        ({"machine_type": "a2-ultragpu-8g"}, "machines with local SSDs (a2-ultragpu-8g) are not stopped"),
        ({"additional_disks": [{"disk_type": "local-ssd"}] * 2}, "machines with local SSDs"),
        ({"dws_flex": {"enabled": True}}, "flex-start machines are granted once"),
    ],
)
def test_nodes_that_cannot_be_stopped_are_few_and_that_is_told(
    settings: dict[str, Any], why: str, tmp_path: Path
) -> None:
    translated = cluster({"node_count_dynamic_max": 6, **settings})
    (message,) = told(translated)
    assert message.startswith("node_count_dynamic_max of work_nodeset: 1, not up to 6, run: " + why)
    assert group(translated)["count"] == 1
    holds(translated, tmp_path)
    more = cluster({"node_count_static": 3, "node_count_dynamic_max": 6, **settings})
    assert group(more)["count"] == 3


def test_a_partition_that_keeps_its_nodes_is_not_in_power_saving() -> None:
    for said in ({"suspend_time": -1}, {"partition_conf": {"SuspendTime": -1}}):
        translated = cluster({"node_count_dynamic_max": 4}, **said)
        assert "power_saving" not in translated.data["bootstrap"]["slurm"]
        assert [each.endswith("run: its partition keeps them") for each in told(translated)] == [True]


def test_the_longest_time_of_partitions_counts() -> None:
    translated = imported(
        nodeset(node_count_dynamic_max=4),
        partition("work_nodeset", partition_conf={"SuspendTime": 1200}),
        partition("work_nodeset", partition_name="short", suspend_time=90),
        controller("work_partition", "short_partition"),
    )
    assert translated.data["bootstrap"]["slurm"]["power_saving"]["idle"] == "20m"
    assert any("longest of the times" in each for each in translated.decisions)


def test_capacity_of_nodes() -> None:
    def capacity(**settings: Any) -> Any:
        return group(cluster({"node_count_static": 2, "node_count_dynamic_max": 0, **settings})).get(
            "capacity"
        )

    assert capacity(reservation_name="", enable_spot_vm=False, dws_flex={"enabled": False}) is None
    assert capacity(reservation_name="ours") == {"model": "reservation", "reservation": "ours"}
    assert capacity(enable_spot_vm=True) == capacity(preemptible=True) == {"model": "spot"}
    flex = {"enabled": True, "max_run_duration": 3600}
    assert capacity(dws_flex=flex) == {"model": "flex_start", "max_run_duration": "3600s"}
    reserved = cluster({"reservation_name": "ours", "node_count_static": 1, "node_count_dynamic_max": 3})
    assert (group(reserved)["count"], told(reserved)) == (4, [])


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("60", "60m"),
        ("30:00", "30m"),
        ("12:30:15", "45015s"),
        ("1-12", "2160m"),
        ("2-00:30:00", "2910m"),
        ("UNLIMITED", None),
        ("INFINITE", None),
    ],
)
def test_limits_of_partitions(theirs: str, ours: str | None) -> None:
    conf = {"MaxTime": theirs, "PriorityTier": 7, "DefMemPerGPU": 160000, "DefMemPerCPU": None}
    translated = cluster({}, partition_conf=conf)
    (found,) = translated.data["bootstrap"]["slurm"]["partitions"]
    assert (found.get("max_time"), found["priority"], told(translated)) == (ours, 7, [])


def test_what_a_partition_cannot_say_is_told() -> None:
    conf = {"MaxTime": "soon", "OverSubscribe": "FORCE:2", "AllowGroups": "us", "ResumeTimeout": 900}
    translated = cluster({}, partition_conf=conf)
    assert sorted(told(translated)) == [
        "AllowGroups of partition_conf of work_partition has no counterpart: 'us'",
        "MaxTime of partition_conf of work_partition has no counterpart: 'soon'",
        "OverSubscribe of partition_conf of work_partition has no counterpart: 'FORCE:2'",
    ]
    exclusive = cluster({}, partition_conf={"OverSubscribe": "EXCLUSIVE"})
    assert exclusive.data["bootstrap"]["slurm"]["partitions"][0]["exclusive"] is True


def test_what_a_controller_cannot_say_is_told() -> None:
    hook = {"filename": "a.sh", "content": "#!/bin/bash\n"}
    translated = imported(
        nodeset(),
        partition("work_nodeset"),
        module("database/slurm-cloudsql-federation", "slurm_db", tier="db-f1-micro"),
        controller(
            "work_partition",
            cloudsql={"server_ip": "$(slurm_db.cloudsql.server_ip)"},
            enable_backup_controller=True,
            slurm_conf_tpl="my.conf.tpl",
            prolog_scripts=[hook],
            cloud_parameters={"resume_timeout": 600, "tree_width": 2},
            network_storage=[{"server_ip": "10.0.0.2", "remote_mount": "/data", "local_mount": "/data"}],
            disk_type="pd-extreme",
        ),
    )
    assert [each.split(":")[0] for each in sorted(told(translated))] == [
        "cloudsql of slurm_controller",
        "disk_type of slurm_controller",
        "enable_backup_controller of slurm_controller",
        "filename of prolog_scripts of slurm_controller (a.sh) is not run",
        "local_mount of network_storage of slurm_controller (/data) is that of a file system that is there",
        "slurm_conf_tpl of slurm_controller",
        "slurm_db (database/slurm-cloudsql-federation)",
        "tree_width of cloud_parameters of slurm_controller has no counterpart",
    ]


def test_images_of_slurm_gcp_are_told() -> None:
    image = {"project": "schedmd-slurm-public", "family": "slurm-gcp-6-12-hpc-rocky-linux-9"}
    translated = imported(
        nodeset(instance_image="$(vars.slurm_image)", instance_image_custom=True),
        partition("work_nodeset"),
        controller("work_partition"),
        slurm_image=image,
    )
    (message,) = told(translated)
    assert "schedmd-slurm-public/slurm-gcp-6-12-hpc-rocky-linux-9 has Slurm-GCP in it" in message
    assert "image" not in group(translated)


def test_machines_with_rdma_get_an_image_that_slurm_is_installed_on(tmp_path: Path) -> None:
    translated = imported(
        rdma_net("rdma", 1),
        nodeset(
            machine_type="h4d-highmem-192-lssd",
            node_count_static=2,
            node_count_dynamic_max=0,
            additional_networks="$(concat([{network=null}], rdma.subnetwork_interfaces))",
        ),
        partition("work_nodeset"),
        controller("work_partition"),
    )
    assert group(translated)["image"] == {"project": "ubuntu-os-cloud", "family": "ubuntu-2404-lts-amd64"}
    assert ["no driver for the RDMA interface" in each for each in told(translated)] == [True]
    holds(translated, tmp_path)


def test_scripts_of_machines_are_their_groups_own() -> None:
    script = module(
        "scripts/startup-script",
        "setup",
        docker={"enabled": True},
        runners=["$(data.mount_runner)", {"type": "shell", "destination": "tune.sh", "content": "true"}],
    )
    translated = imported(
        script,
        module("file-system/cloud-storage-bucket", "data", local_mount="/data"),
        nodeset(startup_script="$(setup.startup_script)"),
        partition("work_nodeset"),
        login(),
        controller(
            "work_partition",
            "slurm_login",
            login_startup_script="echo hello",
            controller_startup_script="true",
        ),
    )
    assert told(translated) == ["runner tune.sh of setup is not carried over"]
    assert group(translated)["docker"] is True
    assert group(translated, "login")["startup_script"] == {"inline": "#!/bin/bash\necho hello\n"}
    assert group(translated, "controller")["startup_script"] == {"inline": "#!/bin/bash\ntrue\n"}


def test_accounts_of_a_file_are_one() -> None:
    accounts = {
        "controller_sa": ["compute.instanceAdmin.v1", "logging.logWriter", "storage.objectViewer"],
        "compute_sa": ["storage.objectUser"],
    }
    translated = imported(
        *(module("project/service-account", name, project_roles=roles) for name, roles in accounts.items()),
        nodeset("work_nodeset", ("net", "compute_sa")),
        partition("work_nodeset"),
        controller("work_partition", service_account_email="$(controller_sa.service_account_email)"),
    )
    assert told(translated) == []
    wanted = ["roles/storage.objectViewer", "roles/storage.objectUser"]
    assert translated.data["service_account"] == {"roles": wanted}
    assert any("not compute.instanceAdmin.v1" in each for each in translated.decisions)


def test_storage_of_the_file_is_mounted_where_slurm_says() -> None:
    def mount(name: str, where: str) -> dict[str, str]:
        outputs = {key: f"$({name}.network_storage.{key})" for key in ("server_ip", "remote_mount")}
        return {**outputs, "local_mount": where, "fs_type": "nfs"}

    translated = imported(
        module("file-system/filestore", "home_fs", ("net",)),
        module("file-system/filestore", "state_fs", ("net",)),
        nodeset(network_storage=[mount("home_fs", "/home")]),
        partition("work_nodeset"),
        controller("work_partition", network_storage=[mount("state_fs", "/var/spool/slurm")]),
    )
    (volume,) = translated.data["storage"]["volumes"]
    assert (volume["name"], volume["mount"]) == ("home-fs", "/home")
    (message,) = told(translated)
    assert "the queue is on the boot disk of the controller" in message


def test_nodes_that_run_are_placed_together_as_there() -> None:
    static = {"machine_type": "c2-standard-60", "node_count_static": 4, "node_count_dynamic_max": 0}
    assert group(cluster(static))["placement"] == {"policy": "compact"}
    assert "placement" not in group(cluster({**static, "enable_placement": False}))
    assert "placement" not in group(cluster({**static, "zones": ["us-central1-a", "us-central1-b"]}))
    by_job = cluster({"machine_type": "c2-standard-60"})
    assert "placement" not in group(by_job)
    assert any("nodes of one job are not placed together" in each for each in by_job.decisions)


def test_metadata_is_that_of_all_nodes() -> None:
    keys = {"VmDnsSetting": "GlobalOnly", "team": "a", "bucket": "$(data.gcs_bucket_name)"}
    translated = cluster({"metadata": keys})
    assert translated.data["metadata"] == {"team": "a"}
    assert told(translated) == ["bucket of metadata of work_nodeset is computed"]


def test_groups_have_names_of_their_own() -> None:
    translated = imported(
        nodeset("compute_nodeset_c2s60"),
        nodeset("compute_nodeset_c2s30"),
        nodeset("a_very_long_name_of_nodes_1"),
        nodeset("a_very_long_name_of_nodes_2", name="controller"),
        nodeset("a_very_long_name_of_nodes_3"),
        partition(
            "compute_nodeset_c2s60",
            "compute_nodeset_c2s30",
            *(f"a_very_long_name_of_nodes_{number}" for number in (1, 2, 3)),
        ),
        controller("work_partition"),
    )
    assert [each["name"] for each in translated.data["node_groups"]] == [
        *("controller", "compute-c2s60", "compute-c2s30"),
        *("a-very-long-nam", "controller-2", "a-very-long-2"),
    ]


@pytest.mark.parametrize(
    ("modules", "why"),
    [
        ([module(f"{COMPUTE}-nodeset-tpu", "tpus", node_type="v4-8")], "machines of kind vm have no TPUs"),
        ([module(f"{COMPUTE}-nodeset-dynamic", "more")], "its nodes are created outside of the file"),
        ([module("compute/schedmd-slurm-gcp-v5-partition", "old")], "Slurm-GCP before version 6 is not read"),
        ([controller(), controller() | {"id": "second"}], "a blueprint has one controller"),
    ],
)
def test_what_cannot_be_a_blueprint_is_refused_first(modules: list[Module], why: str) -> None:
    findings = imported(nodeset(), *modules).findings
    assert [each.severity for each in findings] == ["error"]
    assert why in findings[0].message
    assert findings[0].help


def test_modules_that_nothing_uses_are_told() -> None:
    translated = imported(
        nodeset(),
        nodeset("lone_nodeset"),
        partition("work_nodeset"),
        partition("work_nodeset", partition_name="lone"),
        partition(partition_name="empty"),
        controller("work_partition"),
    )
    assert sorted(told(translated)) == [
        "empty_partition (compute/schedmd-slurm-gcp-v6-partition): it has no nodes",
        "lone_nodeset (compute/schedmd-slurm-gcp-v6-nodeset): no partition uses it",
        "lone_partition (compute/schedmd-slurm-gcp-v6-partition): no controller uses it",
    ]


def test_slurm_beside_others() -> None:
    """Machines of the file are a group; beside a GKE cluster, Slurm is lost."""
    desktop = module("compute/vm-instance", "desktop", ("net",), machine_type="n2-standard-8")
    beside = imported(nodeset(), partition("work_nodeset"), controller("work_partition"), desktop)
    assert [each["name"] for each in beside.data["node_groups"]] == ["controller", "work", "desktop"]
    assert "image" not in group(beside, "desktop")
    gke = imported(module("scheduler/gke-cluster", "gke"), nodeset(), controller())
    assert gke.data["kind"] == "gke"
    assert sum("a blueprint of its own" in each for each in told(gke)) == 2
    alone = imported(nodeset(), desktop)
    assert [each for each in told(alone) if "no controller of Slurm" in each]


def test_keys_of_maps_are_values_as_well() -> None:
    size = {"machine_type": "c2-standard-8", "count": 3}
    named = {"machine_type": "$(vars.size.machine_type)", "node_count_dynamic_max": "$(vars.size.count)"}
    modules = [nodeset(**named), partition("work_nodeset"), controller("work_partition")]
    found = group(imported(*modules, size=size))
    assert (found["machine_type"], found["count"]) == ("c2-standard-8", 3)
    errors = [each.message for each in imported(*modules, size={"count": 3}).findings]
    assert "machine_type of work_nodeset: vars.size.machine_type has no value" in errors


def test_the_command_imports_it(clusterprint: Run, tmp_path: Path) -> None:
    modules = [nodeset(), partition("work_nodeset"), login(), controller("work_partition", "slurm_login")]
    row = Row("00", "cluster", PLACE, [module("network/vpc", "net"), *modules])
    (tmp_path / "x.yaml").write_text(json.dumps(row.text))
    done = clusterprint("import", "--from", "toolkit", "x.yaml", "--out", "y.yaml", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert clusterprint("validate", "y.yaml", cwd=tmp_path).returncode == 0
