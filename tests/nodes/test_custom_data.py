"""Custom data of machines: what cloud-init makes of it."""

import base64
import re

import msgspec
import pytest
from nodes.cloud_init import read, texts
from nodes.settings import NFS, SET, SETTINGS, SMB

from clusterprint.derived import ports
from clusterprint.errors import InternalError
from clusterprint.nodes.vmss import LIMIT, CustomDataTooLongError, Role, custom_data, encoded_size
from clusterprint.plan.vmss_nodes import SharePlan


def test_the_facts_of_the_cluster_are_on_every_machine() -> None:
    for role in ("node", "head"):
        settings = texts(custom_data(role, SETTINGS))["/etc/clusterprint/settings"]
        assert f"role={role}\n" in settings
        assert f"scale_set_id={SET}\n" in settings


@pytest.mark.parametrize("role", ["node", "head"])
def test_the_document_is_what_cloud_init_takes(role: Role) -> None:
    """The part of cloud-init's own schema that is used here, closed: no other key, no other type."""
    everything = msgspec.structs.replace(
        SETTINGS, head_is_node=True, shares=(SMB, NFS), startup_script="#!/bin/sh\n", head_startup_script="x"
    )
    document = read(custom_data(role, everything))
    assert set(document) == {"package_update", "packages", "write_files", "runcmd"}
    assert document["package_update"] is True
    assert all(isinstance(each, str) for each in document["packages"])
    assert len(set(document["packages"])) == len(document["packages"])
    assert all(isinstance(word, str) for command in document["runcmd"] for word in command)
    for file in document["write_files"]:
        assert set(file) <= {"path", "permissions", "encoding", "content"}
        assert file["path"].startswith("/")
        assert re.fullmatch(r"0[0-7]{3}", file["permissions"])
        assert file.get("encoding", "b64") == "b64"
        assert isinstance(file["content"], str)
    paths = [file["path"] for file in document["write_files"]]
    assert paths == sorted(set(paths)), "no file comes from two places"


def test_commands_are_executable_and_the_users_script_is_for_root_only() -> None:
    settings = msgspec.structs.replace(SETTINGS, startup_script="#!/bin/sh\n")
    modes = {file["path"]: file["permissions"] for file in read(custom_data("node", settings))["write_files"]}
    assert modes["/usr/local/bin/check-node-health"] == "0755"
    assert modes["/usr/local/lib/clusterprint/common.sh"] == "0644"
    assert modes["/usr/local/lib/clusterprint/startup-script"] == "0700"


def test_each_role_gets_its_own_tools() -> None:
    node, head = (set(texts(custom_data(role, SETTINGS))) for role in ("node", "head"))
    assert "/usr/local/bin/update-hosts" in head - node
    assert "/usr/local/bin/run-health-checks" in node - head
    assert "/usr/local/lib/clusterprint/common.sh" in node & head


def test_the_endpoint_is_where_the_extension_asks() -> None:
    socket = texts(custom_data("node", SETTINGS))["/etc/systemd/system/clusterprint-health.socket"]
    assert f"\nListenStream=127.0.0.1:{ports.HEALTH}\n" in socket


@pytest.mark.parametrize("text", ["a\nadmin_user=root", "a\rb", "a\u2028b", "a\0b"])
def test_a_fact_cannot_smuggle_in_another(text: str) -> None:
    with pytest.raises(InternalError):
        custom_data("node", msgspec.structs.replace(SETTINGS, cluster=text))


def test_a_startup_script_arrives_as_it_was_given() -> None:
    script = "#!/bin/sh\n\techo '${x} %{y} `z`' \u2028 \x07 \U0001f600\nno newline at the end"
    written = texts(custom_data("node", msgspec.structs.replace(SETTINGS, startup_script=script)))
    assert written["/usr/local/lib/clusterprint/startup-script"] == script


def test_shares_are_named_without_secrets() -> None:
    share = SharePlan(
        kind="files_smb",
        server="data",
        resource_id="/a",
        share="sets",
        mount="/mnt/x y",
        read_only=True,
        created=False,
    )
    written = texts(custom_data("node", msgspec.structs.replace(SETTINGS, shares=(share,))))
    assert written["/etc/clusterprint/shares"] == "files_smb\tdata\t/a\tsets\t/mnt/x y\tro\ttheirs\n"


@pytest.mark.parametrize("role", ["node", "head"])
def test_our_own_part_leaves_room_uncompressed(role: Role) -> None:
    data = custom_data(role, SETTINGS)
    assert base64.b64decode(data).startswith(b"#cloud-config\n")
    assert len(data) < 0.85 * LIMIT


def test_long_scripts_are_compressed_and_the_same_every_time() -> None:
    settings = msgspec.structs.replace(SETTINGS, startup_script="#!/bin/sh\n" + "echo hello\n" * 3000)
    data = custom_data("node", settings)
    assert len(data) <= LIMIT
    assert data == custom_data("node", settings)
    assert texts(data)["/usr/local/lib/clusterprint/startup-script"] == settings.startup_script


@pytest.mark.slow
def test_what_is_too_long_even_so_is_refused() -> None:
    noise = "".join(
        chr(33 + hash_ % 90) for hash_ in (index * index * 7919 % 10007 for index in range(80000))
    )
    settings = msgspec.structs.replace(SETTINGS, startup_script=noise)
    size = encoded_size("node", settings)
    assert size > LIMIT
    with pytest.raises(CustomDataTooLongError, match=str(size)):
        custom_data("node", settings)


OWN = """#cloud-config
packages: [htop, jq]
users:
- {name: ada, ssh_authorized_keys: [ssh-ed25519 AAAA ada]}
write_files:
- path: /etc/motd
  permissions: '0600'
  content: |
    welcome to ${this} %{machine}
bootcmd:
- [cloud-init-per, once, x, sh, -c, "echo $(id)"]
"""


@pytest.mark.parametrize("role", ["node", "head"])
def test_the_users_own_file_is_merged_with_ours(role: Role) -> None:
    ours = read(custom_data(role, SETTINGS))
    merged = read(custom_data(role, msgspec.structs.replace(SETTINGS, **{OWN_OF[role]: OWN})))
    assert merged["packages"] == [*ours["packages"], "htop"]
    assert merged["users"] == ["default", {"name": "ada", "ssh_authorized_keys": ["ssh-ed25519 AAAA ada"]}]
    assert merged["bootcmd"] == [["cloud-init-per", "once", "x", "sh", "-c", "echo $(id)"]]
    motd = {"path": "/etc/motd", "permissions": "0600", "content": "welcome to ${this} %{machine}\n"}
    assert merged["write_files"] == [*ours["write_files"], motd]
    assert merged["runcmd"] == ours["runcmd"]


OWN_OF: dict[Role, str] = {"node": "cloud_init", "head": "head_cloud_init"}


def test_a_file_for_the_nodes_is_for_the_nodes_only() -> None:
    settings = msgspec.structs.replace(SETTINGS, cloud_init=OWN)
    assert "htop" not in read(custom_data("head", settings))["packages"]
