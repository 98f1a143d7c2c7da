"""The head's key: made on the head, published by the head, trusted by the nodes."""

import re
from typing import Any

import pytest
from nodes.azure_world import ALLOWED
from nodes.machine import Machine, MakeMachine
from nodes.settings import HEAD, HEAD_IDENTITY, NODE_IDENTITY

TAG = "clusterprint-head-key"
KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "k" * 43
LINE = f'from="10.0.0.0/24" {KEY} clusterprint-head\n'


def azure(**more: Any) -> dict[str, Any]:
    return {"allowed": ALLOWED, **more}


def published(key: str) -> dict[str, Any]:
    return azure(tags={HEAD: {TAG: key}})


def forget_confirmation(machine: Machine) -> None:
    """Let ten minutes pass."""
    for file in (machine.root / "var/lib/clusterprint").glob("*.confirmed"):
        file.unlink()


def authorized(node: Machine) -> str:
    return node.read("home/azureuser/.ssh/authorized_keys")


# The head


def test_the_head_publishes_the_public_half_of_its_key_and_nothing_else(machine: MakeMachine) -> None:
    head = machine("head")
    head.know("azure", azure(tags={HEAD: {"owner": "me"}}))
    done = head.run("publish-key")
    assert done.returncode == 0, done.stderr
    public = head.read("home/azureuser/.ssh/id_ed25519.pub")
    tags = head.known("azure")["tags"][HEAD]
    assert tags == {"owner": "me", TAG: " ".join(public.split()[:2])}
    assert re.fullmatch(r"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI[A-Za-z0-9+/]{43}", tags[TAG])
    assert len(tags[TAG]) <= 256
    private = head.home / ".ssh/id_ed25519"
    assert private.stat().st_mode & 0o777 == 0o600
    assert any(re.fullmatch(r"azureuser:azureuser .*/id_ed25519", call) for call in head.calls("chown"))
    assert "PRIVATE" not in (head.state / "azure.json").read_text("utf-8")
    assert [path.name for path in sorted((head.home / ".ssh").iterdir())] == ["id_ed25519", "id_ed25519.pub"]


def test_the_key_is_made_once(machine: MakeMachine) -> None:
    head = machine("head")
    head.know("azure", azure())
    head.run("publish-key")
    before = head.read("home/azureuser/.ssh/id_ed25519"), head.known("azure")["tags"]
    forget_confirmation(head)
    assert head.run("publish-key").returncode == 0
    assert (head.read("home/azureuser/.ssh/id_ed25519"), head.known("azure")["tags"]) == before


def test_a_lost_public_half_is_made_again_from_the_private_one(machine: MakeMachine) -> None:
    head = machine("head")
    head.know("azure", azure())
    head.run("publish-key")
    tags = head.known("azure")["tags"]
    (head.home / ".ssh/id_ed25519.pub").unlink()
    forget_confirmation(head)
    head.run("publish-key")
    assert head.known("azure")["tags"] == tags


def test_a_tag_that_somebody_changed_is_put_right(machine: MakeMachine) -> None:
    head = machine("head")
    head.know("azure", azure())
    head.run("publish-key")
    tags = head.known("azure")["tags"]
    head.know("azure", published("something else"))
    forget_confirmation(head)
    head.run("publish-key")
    assert head.known("azure")["tags"] == tags


def test_the_key_is_there_before_permissions_are_and_is_published_later(machine: MakeMachine) -> None:
    head = machine("head")
    head.know("azure", {"allowed": {HEAD_IDENTITY: []}})
    assert head.run("publish-key").returncode != 0
    before = head.read("home/azureuser/.ssh/id_ed25519")
    head.know("azure", azure())
    assert head.run("publish-key").returncode == 0
    assert head.read("home/azureuser/.ssh/id_ed25519") == before


def test_azure_is_not_asked_every_minute(machine: MakeMachine) -> None:
    head = machine("head")
    head.know("azure", azure())
    head.run("publish-key")
    asked = len(head.calls("curl"))
    assert head.run("publish-key").returncode == 0
    assert len(head.calls("curl")) == asked


def test_tokens_are_in_no_command_line(machine: MakeMachine) -> None:
    head = machine("head")
    head.know("azure", azure())
    head.run("publish-key")
    assert head.calls("curl")
    assert not any("token of" in call for call in head.calls("curl"))


# The nodes


def test_a_node_trusts_what_its_head_published(machine: MakeMachine) -> None:
    node = machine("node")
    node.know("azure", published(KEY))
    done = node.run("trust-head")
    assert done.returncode == 0, done.stderr
    assert authorized(node) == LINE
    assert (node.home / ".ssh/authorized_keys").stat().st_mode & 0o777 == 0o600


def test_keys_of_the_user_stay_and_the_heads_key_is_there_once(machine: MakeMachine) -> None:
    node = machine("node")
    node.write("home/azureuser/.ssh/authorized_keys", "ssh-rsa AAAA me@laptop\nssh-rsa BBBB no-newline")
    node.know("azure", published(KEY))
    for _ in range(2):
        forget_confirmation(node)
        assert node.run("trust-head").returncode == 0
    assert authorized(node) == f"ssh-rsa AAAA me@laptop\nssh-rsa BBBB no-newline\n{LINE}"


def test_the_key_of_a_new_head_replaces_that_of_the_old_one(machine: MakeMachine) -> None:
    node = machine("node")
    node.know("azure", published(KEY))
    node.run("trust-head")
    node.know("azure", published(KEY.replace("k", "n")))
    forget_confirmation(node)
    node.run("trust-head")
    assert authorized(node) == LINE.replace("k" * 43, "n" * 43)


def test_a_node_waits_for_a_head_that_is_not_ready(machine: MakeMachine) -> None:
    node = machine("node")
    node.know("azure", azure(tags={HEAD: {}}))
    done = node.run("trust-head")
    assert done.returncode == 0
    assert "not published its key yet" in done.stderr
    node.know("azure", published(KEY))
    node.run("trust-head")
    assert authorized(node) == LINE


def test_when_azure_does_not_answer_the_key_stays(machine: MakeMachine) -> None:
    node = machine("node")
    node.know("azure", published(KEY))
    node.run("trust-head")
    forget_confirmation(node)
    node.know("azure", {"down": True})
    assert node.run("trust-head").returncode != 0
    assert authorized(node) == LINE


@pytest.mark.parametrize(
    "key",
    [
        f'command="sh" {KEY}',
        f"{KEY}\nssh-ed25519 AAAA more",
        f"{KEY} comment",
        "ssh-rsa AAAAB3NzaC1yc2E",
        KEY[:-1],
        KEY + "k",
    ],
)
def test_anything_but_one_plain_key_is_refused(machine: MakeMachine, key: str) -> None:
    node = machine("node")
    node.know("azure", published(key))
    assert node.run("trust-head").returncode != 0
    assert not (node.home / ".ssh/authorized_keys").exists()


def test_a_node_asks_for_the_head_of_its_own_cluster_with_its_own_identity(machine: MakeMachine) -> None:
    node = machine("node")
    other = HEAD.replace("vmss-head", "other-head")
    node.know("azure", {"allowed": {NODE_IDENTITY: [f"GET {HEAD}"]}, "tags": {other: {TAG: KEY}}})
    node.run("trust-head")
    assert not (node.home / ".ssh/authorized_keys").exists()
    node.know("azure", {"allowed": {HEAD_IDENTITY: [f"GET {HEAD}"]}, "tags": {HEAD: {TAG: KEY}}})
    assert node.run("trust-head").returncode != 0
    assert not (node.home / ".ssh/authorized_keys").exists()
