"""A node counts only if Google says that what it says of itself comes from that machine."""

import os
import time
from collections.abc import Callable
from typing import Any

from nodes.identity import DAY, Signer, audience, certificates, signer, token
from nodes.test_vm_hosts import THIS, hosts, key, node_with, other, vouched
from nodes.vm_machine import MakeVmMachine, VmMachine

B = key("b")
PLAIN = {**other(1), "said": f"nodes 8 ssh-ed25519 {B}"}

#: A machine with an id, a name and a zone.
Place = tuple[str, str, str]


def altered(place: Place) -> str:
    """A token whose payload is about another key, with the signature as it was."""
    head, _, signature = token(B, place).split(".")
    return f"{head}.{token(key('e'), place).split('.')[1]}.{signature}"


#: What somebody could put behind a key, for the machine that says it.
FORGED: dict[str, Callable[[Place], str]] = {
    "nothing": lambda _: "",
    "no token": lambda _: "a.b.c",
    "nobody signed it": lambda place: token(B, place, algorithm="none").rpartition(".")[0] + ".",
    "another algorithm": lambda place: token(B, place, algorithm="HS256"),
    "a key of nobody's": lambda place: token(B, place, by=signer("stranger")),
    "a stranger's key under Google's name": lambda place: token(
        B, place, by=Signer("now", signer("stranger").key, "")
    ),
    "another payload": altered,
    "about another key": lambda place: token(key("e"), place),
    "for another service": lambda place: token(B, place, aud="https://example.com"),
    "for nobody": lambda place: token(B, place, aud=None),
    "of another issuer": lambda place: token(B, place, iss="https://example.com"),
    "a machine of another project": lambda place: token(B, place, project="other-project"),
    "a machine of the same name before": lambda place: token(B, ("999", *place[1:])),
    "a machine of another name": lambda place: token(B, (place[0], "spani-9", place[2])),
    "a machine of another zone": lambda place: token(B, (*place[:2], "z-b")),
    "no machine": lambda place: token(B, place, google=None),
    "what another node says": lambda _: token(B, ("1001", "spani-1", "z-a")),
    "a token of tomorrow": lambda place: token(B, place, iat=int(time.time()) + DAY),
    "more than a token": lambda place: token(B, place) + ".x",
}


def test_what_another_could_have_said_does_not_count(vm_machine: MakeVmMachine) -> None:
    machines = [{**other(number), "said": PLAIN["said"]} for number in range(10, 11 + len(FORGED))]
    places = {each["name"]: (each["id"], each["name"], each["zone"]) for each in machines}
    forgers = dict(zip(places, FORGED, strict=False))
    forged = [
        {**each, "said": f"{each['said']} {FORGED[forgers[each['name']]](places[each['name']])}"}
        for each in machines
        if each["name"] in forgers
    ]
    plain = machines[-1]  # it has no token, as before there were any
    node = node_with(vm_machine, other(1), *forged, plain, ssh=True)
    assert node.boot().returncode == 0, node.log()
    trusted = {line.split()[0] for line in hosts(node)}
    assert {forgers.get(name, name) for name in trusted} == {"spani-0", "spani-1"}, node.log()
    for file in ("ssh_known_hosts", "shosts.equiv"):
        assert "spani-1\n" in node.read(f"etc/ssh/{file}").replace(",", "\n")
        assert not [name for name in places if f"{name}." in node.read(f"etc/ssh/{file}")]
    # They count once they are right, and what was wrong before is no hindrance.
    node.world(machines=[THIS, other(1), *map(vouched, machines)])
    assert node.run("update-hosts").returncode == 0
    assert {line.split()[0] for line in hosts(node)} == {"spani-0", "spani-1", *places}


def test_a_node_that_is_added_a_month_later_trusts_those_that_were_there(vm_machine: MakeVmMachine) -> None:
    """Their tokens have expired long ago, and Google has changed its key since: they were renewed by it."""
    late = signer("a month later")
    node = node_with(vm_machine, vouched(PLAIN, by=late), other(2), ssh=True)
    own = {audience(key("a")): token(key("a"), ("1000", "spani-0", "z-a"), by=late)}
    node.world(identity=own, certificates=certificates(late))
    assert node.boot().returncode == 0, node.log()
    assert hosts(node) == ["spani-0 slots=8", "spani-1 slots=8"], "the other one has not been seen for weeks"


def test_a_node_renews_its_token_each_day_and_not_more_often(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    assert node.boot().returncode == 0, node.log()
    assert node.run("update-hosts").returncode == 0
    assert node.known("google")["identified"] == [audience(key("a"))]
    file = node.root / "var/lib/clusterprint/identity"
    assert file.stat().st_mode & 0o777 == 0o600
    age(file, 25 * 3600)
    for _ in range(2):
        assert node.run("update-hosts").returncode == 0
    assert len(node.known("google")["identified"]) == 2
    # Another machine with the same disk has a token of its own.
    node.world(id="2000")
    assert node.run("update-hosts").returncode == 0
    assert len(node.known("google")["identified"]) == 3


def age(file: Any, seconds: int) -> None:
    os.utime(file, (time.time() - seconds,) * 2)


def cached(node: VmMachine) -> Any:
    return node.root / "var/lib/clusterprint/google-certificates.json"


def test_without_google_nobody_new_is_trusted_and_nobody_is_forgotten(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, other(1), ssh=True)
    assert node.boot().returncode == 0, node.log()
    node.world(certificates="", machines=[THIS, other(1), other(2)])
    cached(node).unlink()
    done = node.run("update-hosts")
    assert done.returncode == 0
    assert "could not fetch the certificates of Google" in done.stderr
    assert hosts(node) == ["spani-0 slots=8", "spani-1 slots=8"]


def test_certificates_are_fetched_once_an_hour_and_do_for_a_day(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    assert node.boot().returncode == 0, node.log()
    published = node.known("google")["certificates"]
    steps = ((0.5, True, 1, True), (2, True, 2, True), (2, False, 3, True), (25, False, 4, False))
    for number, (hours, answers, fetched, trusted) in enumerate(steps, 1):
        age(cached(node), int(hours * 3600))
        machines = [THIS, *map(other, range(1, number + 1))]
        node.world(machines=machines, certificates=published if answers else "")
        assert node.run("update-hosts").returncode == 0
        assert node.known("google")["fetched"] == fetched, hours
        assert (f"spani-{number} slots=8" in hosts(node)) is trusted, hours


def test_certificates_that_do_not_hold_make_nobody_trusted(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine, vouched(PLAIN, by=signer("old", -60)), ssh=True)
    node.world(certificates=certificates(signer("old", -60)))
    assert node.boot().returncode == 0, node.log()
    for published in ("", "{}", "[]", "<html>", '{"now": 1, "old": "no certificate"}'):
        assert hosts(node) == [], published
        cached(node).unlink(missing_ok=True)
        node.world(certificates=published)
        assert node.run("update-hosts").returncode == 0
    assert "spani" not in node.read("etc/ssh/shosts.equiv")


def test_a_machine_that_cannot_prove_itself_says_nothing(vm_machine: MakeVmMachine) -> None:
    node = node_with(vm_machine)
    node.world(identity={})
    assert node.boot().returncode == 1
    assert "node" not in node.guest_attributes()
