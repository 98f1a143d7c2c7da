"""Data on Azure when the entries of its volumes leave a blueprint, by real Terraform."""

from pathlib import Path

import pytest
from lives import Life
from running import Running
from support import Change, Run

from clusterprint.exit_codes import Code
from clusterprint_simcloud import World
from clusterprint_simcloud.world import binary

pytestmark = pytest.mark.terraform

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPdkNp7j9nk6VpuTqpCtCwVLBgmUq5Xh9bMnsWxAFsfY"
NONE = f"""\
clusterprint: v1
kind: vmss
name: life
subscription: 00000000-0000-0000-0000-000000000000
location: southcentralus
backend: {{gcs: {{bucket: my-terraform-state}}}}
admin: {{ssh_public_key: {{inline: {KEY} me}}}}
head_node: {{ssh_source_ranges: [203.0.113.0/24]}}
nodes: {{size: Standard_ND96isr_H200_v5, count: 2}}
"""
OLD = "    - {name: old, kind: azure_files, mount: /old}\n"
SETS = "    - {name: sets, kind: blob_nfs, mount: /sets}\n"
SCRATCH = "    - {name: scratch, kind: managed_lustre, mount: /scratch}\n"
ALL = f"{NONE}storage:\n  volumes:\n{OLD}{SETS}{SCRATCH}"
WITHOUT_SETS = ALL.replace(SETS, "")
SETS_MAY_GO = ALL.replace("storage:\n", "storage:\n  may_lose: [sets]\n").replace(
    "mount: /sets", "mount: /sets, deletion_protection: false"
)
DATA = (
    "azurerm_managed_lustre_file_system",
    "azurerm_storage_account",
    "azurerm_storage_container",
    "azurerm_storage_share",
)


def data_in(world: World) -> dict[str, int]:
    """How much there is of each type that holds data."""
    found = {type_: len(world.resources(type_)) for type_ in DATA}
    return {type_: count for type_, count in found.items() if count}


ALL_DATA = {DATA[0]: 1, DATA[1]: 2, DATA[2]: 1, DATA[3]: 1}


class Blueprint:
    """A blueprint in a world, of which one version is applied after the other."""

    def __init__(self, world: World, run: Run, folder: Path) -> None:
        self.world = world
        self.stack = folder / "out" / "stacks" / "life"
        self._run = run
        self._file = folder / "life.yaml"
        self._out = folder / "out"

    def refuses(self, text: str) -> str:
        """The output of Terraform for a version that it cannot apply."""
        self._synthesize(text)
        failed = self.world.apply(self.stack, check=False)
        assert failed.returncode == 1, failed.stdout
        return " ".join((failed.stdout + failed.stderr).replace("│", " ").split())

    def takes(self, text: str) -> None:
        """A version that is applied, and then all is as it says."""
        self._synthesize(text)
        self.world.apply(self.stack)
        assert self.world.changes(self.stack) == {}

    def differs_from(self, text: str) -> dict[str, str]:
        """The planned changes of a version."""
        self._synthesize(text)
        return self.world.changes(self.stack)

    def _synthesize(self, text: str) -> None:
        self._file.write_text(text)
        done = self._run("synth", self._file, "--out", self._out)
        assert done.returncode == 0, done.stderr


@pytest.fixture
def applied(running: Running, clusterprint: Run, tmp_path: Path) -> Blueprint:
    """A running cluster with one volume of each sort."""
    running.deploy(tmp_path, ALL, ["life"])
    return Blueprint(running.world, clusterprint, tmp_path)


def test_an_entry_that_leaves_takes_no_data_with_it(applied: Blueprint) -> None:
    said = applied.refuses(WITHOUT_SETS)
    assert said.count("Error:") == 1
    assert "keep-data: sets is not deleted, because the data in it is protected" in said
    assert data_in(applied.world) == ALL_DATA
    applied.takes(ALL)


def test_nor_does_the_last_one(applied: Blueprint) -> None:
    said = applied.refuses(NONE)
    assert [name for name in ("old", "sets", "scratch") if f"keep-data: {name} is not deleted" in said] == [
        "old",
        "sets",
        "scratch",
    ]
    assert data_in(applied.world) == ALL_DATA
    missing = applied.differs_from(ALL)
    assert {address.partition(".")[0] for address in missing} == {"azurerm_role_assignment"}, "nodes mount it"
    applied.takes(ALL)


def test_data_goes_once_both_places_have_said_so_and_that_is_applied(applied: Blueprint) -> None:
    applied.takes(SETS_MAY_GO)
    applied.takes(WITHOUT_SETS)
    assert data_in(applied.world) == {DATA[0]: 1, DATA[1]: 1, DATA[3]: 1}
    everything = ALL.replace("storage:\n", "storage:\n  may_lose: [old, scratch]\n").replace(SETS, "")
    for mount in ("/old", "/scratch"):
        everything = everything.replace(f"mount: {mount}", f"mount: {mount}, deletion_protection: false")
    applied.takes(everything)
    applied.takes(NONE)
    assert data_in(applied.world) == {}


def test_an_entry_of_another_sort_by_the_same_name_is_another_volume(applied: Blueprint) -> None:
    lustre = WITHOUT_SETS.replace("name: scratch", "name: sets")
    said = applied.refuses(lustre)
    for name in ("sets", "scratch"):
        assert f"keep-data: {name} is not deleted" in said
    assert data_in(applied.world)[DATA[2]] == 1


def test_what_terraform_has_forgotten_stays(applied: Blueprint) -> None:
    addresses = (
        "azurerm_storage_container.share_sets_container",
        "azurerm_storage_account.share_sets_account",
        'terraform_data.kept_data["share_sets"]',
    )
    applied.world.run(str(binary()), "state", "rm", *addresses, folder=applied.stack)
    applied.takes(WITHOUT_SETS)
    assert data_in(applied.world) == ALL_DATA


def test_data_of_somebody_else_is_only_let_go(change: Change) -> None:
    place = "create: false, account: theirs, resource_group: theirs"
    theirs = f"    - {{name: more, kind: blob_nfs, mount: /more, {place}}}\n"
    changes = change(ALL.replace(SETS, SETS + theirs), ALL)
    assert {address for address, what in changes.items() if what != "update"} == set()


def test_what_may_be_lost_is_all_that_two_words_change(change: Change) -> None:
    assert change(ALL, SETS_MAY_GO) == {'terraform_data.kept_data["share_sets"]': "update"}
    assert change(SETS_MAY_GO, ALL) == {'terraform_data.kept_data["share_sets"]': "update"}


@pytest.mark.slow
def test_commands_keep_data_until_they_are_told_otherwise(life: Life, tmp_path: Path) -> None:
    blueprint = tmp_path / "life.yaml"
    blueprint.write_text(ALL)
    life.run("up", blueprint, "--yes")

    blueprint.write_text(NONE)
    said = life.run("up", blueprint, "--yes", expect=Code.FAILED)
    assert "container sets is removed, and with it the blobs in it" in said
    assert "[life] apply failed: data kept" in said
    assert "nodes missing" not in said
    assert "To keep it, put its entry back and run the same command again." in said

    said = life.run("down", blueprint, "--yes")
    assert "kept (--include-data destroys it): sets, the blobs in it" in said
    left = {one.type for one in life.made()}
    assert set(DATA) < left
    assert "azurerm_linux_virtual_machine" not in left
    assert "data kept" in life.run("up", blueprint, "--yes", expect=Code.FAILED), "what keeps them stays, too"

    blueprint.write_text(ALL)
    life.run("up", blueprint, "--yes")
    assert "nothing to do" in life.run("up", blueprint, "--yes")
    assert "everything is gone" in life.run("down", blueprint, "--yes", "--include-data")
    assert life.made() == []


@pytest.mark.slow
def test_a_cluster_of_one_command_takes_its_data_along(life: Life, tmp_path: Path) -> None:
    blueprint = tmp_path / "life.yaml"
    blueprint.write_text(ALL)
    life.run("up", blueprint, "--ephemeral", "--for", "1s", "--yes")
    assert life.made() == []
