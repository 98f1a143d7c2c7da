"""Files of the nodes of kind vm: they come, change and go as the list in the bucket says."""

import stat

from nodes.vm_machine import BUCKET, MANIFEST, MakeVmMachine, VmMachine

FILES = {"/opt/cp/run.sh": "#!/bin/sh\n", "/opt/cp/data/a b.txt": "a\n", "/opt/cp/data/\u00fc+%.txt": "u\n"}


def node_with(vm_machine: MakeVmMachine, files: dict[str, str], **changes: object) -> VmMachine:
    node = vm_machine(files_bucket=BUCKET, files_manifest=MANIFEST, **changes)
    node.upload(files, executable=("/opt/cp/run.sh",))
    return node


def mode(node: VmMachine, path: str) -> int:
    return stat.S_IMODE((node.root / path).stat().st_mode)


def sync(node: VmMachine) -> int:
    return node.run("sync-files").returncode


def test_files_and_trees_are_at_their_destination(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, FILES)
    done = node.boot()
    assert done.returncode == 0, done.stderr
    for path, text in FILES.items():
        assert node.read(path[1:]) == text
    assert (mode(node, "opt/cp/run.sh"), mode(node, "opt/cp/data/a b.txt")) == (0o755, 0o644)
    assert node.steps() == {"files": "done"}
    assert (node.state / "enabled/clusterprint-files.timer").exists()
    assert "Bearer" not in "".join(node.calls("curl")), "the token stays out of the list of processes"


def test_a_second_boot_fetches_the_list_only(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, FILES)
    node.boot()
    assert node.known("google")["asked"] == 1 + len(FILES)
    assert node.boot().returncode == 0
    assert node.known("google")["asked"] == 2 + len(FILES)


def test_what_changes_in_the_bucket_changes_on_machines_that_run(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, FILES)
    node.boot()
    asked = node.known("google")["asked"]
    node.upload({**FILES, "/opt/cp/run.sh": "#!/bin/sh\necho new\n", "/srv/more": "more"})
    assert sync(node) == 0
    assert node.read("opt/cp/run.sh").endswith("new\n")
    assert mode(node, "opt/cp/run.sh") == 0o644
    assert node.read("srv/more") == "more"
    assert node.known("google")["asked"] == asked + 3
    assert sync(node) == 0
    assert node.known("google")["asked"] == asked + 4


def test_what_goes_in_the_bucket_goes_on_machines_with_folders_that_were_made_for_it(
    vm_machine: MakeVmMachine,
) -> None:
    node = node_with(vm_machine, FILES)
    node.write("opt/other", "the user's")
    node.boot()
    node.write("opt/cp/result", "the user's")
    node.upload({"/opt/cp/run.sh": FILES["/opt/cp/run.sh"]})
    assert sync(node) == 0
    assert not (node.root / "opt/cp/data").exists()
    assert (node.root / "opt/cp/run.sh").exists()
    node.upload({})
    assert sync(node) == 0
    assert [path.name for path in sorted((node.root / "opt").rglob("*"))] == ["cp", "result", "other"]


def test_a_file_may_become_a_folder_and_a_folder_a_file(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, {"/opt/a": "file", "/opt/b/c": "below"})
    node.boot()
    node.upload({"/opt/a/x": "below", "/opt/b": "file"})
    assert sync(node) == 0
    assert (node.read("opt/a/x"), node.read("opt/b")) == ("below", "file")


def test_a_reboot_fixes_what_was_changed_on_the_machine(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, FILES)
    node.boot()
    node.write("opt/cp/data/a b.txt", "spoiled")
    (node.root / "opt/cp/run.sh").unlink()
    (node.root / "opt/cp/run.sh").symlink_to("/etc/passwd")
    assert node.boot().returncode == 0
    assert node.read("opt/cp/data/a b.txt") == "a\n"
    assert not (node.root / "opt/cp/run.sh").is_symlink()


def test_a_file_that_is_still_being_uploaded_is_waited_for(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, FILES)
    world = node.known("google")
    world["objects"][BUCKET]["clusterprint/spani/files/opt/cp/run.sh"] = "the old one"
    node.know("google", world)
    # The upload ends while the machine waits.
    node.fake(
        "sleep", f'exec "$REAL/sed" -i "s/the old one/#!\\/bin\\/sh\\\\\\\\n/" {node.state}/google.json'
    )
    assert node.boot().returncode == 0
    assert node.read("opt/cp/run.sh") == FILES["/opt/cp/run.sh"]
    assert "does not match its checksum" in node.log()
    assert node.calls("sleep") == ["15"]


def test_permissions_and_networks_that_come_late_are_waited_for(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, FILES)
    node.world(failures=7)
    assert node.boot().returncode == 0
    assert len(node.calls("sleep")) <= 7


def test_files_that_never_come_are_a_failure_that_names_them(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, FILES, startup_script="#!/bin/sh\ntouch $WORLD/ran\n")
    world = node.known("google")
    del world["objects"][BUCKET]["clusterprint/spani/files/opt/cp/run.sh"]
    node.know("google", world)
    assert node.boot().returncode == 1
    assert node.steps() == {"files": "failed", "startup-script": "waiting"}
    assert "could not download /opt/cp/run.sh" in node.log()
    assert len(node.calls("sleep")) == 19
    assert not (node.state / "ran").exists()
    assert [file.name for file in (node.root / "opt/cp").rglob(".clusterprint*")] == []


def test_an_interrupted_run_loses_track_of_nothing(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, FILES)
    node.fake("md5sum", 'exec "$REAL/md5sum"')
    node.boot()
    node.upload({**FILES, "/opt/cp/late": "late"})
    node.kill_during("sync-files", "comm")
    node.remove("comm")
    node.upload({"/opt/cp/run.sh": FILES["/opt/cp/run.sh"]})
    assert sync(node) == 0
    assert [path.name for path in (node.root / "opt/cp").iterdir()] == ["run.sh"]


def test_halves_that_a_power_cut_left_are_taken_away(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, FILES, startup_script="true")
    node.boot()
    halves = [
        node.write(path, "half")
        for path in (
            "opt/cp/data/.clusterprint.Ab12Cd",
            "var/lib/clusterprint/files.Ab12Cd",
            "var/lib/clusterprint/startup-script.Ab12Cd",
        )
    ]
    assert node.boot().returncode == 0
    assert [each for each in halves if each.exists()] == []
    halves[0].write_text("half")
    node.upload({"/opt/cp/run.sh": "#!/bin/sh\n"})
    assert sync(node) == 0
    assert not halves[0].parent.exists(), "it was made for files that are no longer there"


def test_an_unknown_list_is_refused(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, {})
    world = node.known("google")
    world["objects"][BUCKET][MANIFEST] = "<html>"
    node.know("google", world)
    assert node.boot().returncode == 1
    assert "unsupported format" in node.log()
