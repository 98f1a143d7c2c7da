"""Pods of an image on this machine: each with a network, a name and files of its own, all on one bridge."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from ipaddress import IPv4Address
from pathlib import Path
from typing import NamedTuple

from containers import Image

_FIRST = IPv4Address("198.18.7.1")  # of a block that nobody routes
_NAMED = ("unshare", "--uts", "sh", "-c", 'echo "$0" >/proc/sys/kernel/hostname && exec "$@"')


class Pod(NamedTuple):
    """A pod: its name and its address."""

    name: str
    address: str

    @property
    def network(self) -> str:
        """The name of this machine's network."""
        return f"pod{os.getpid()}-{self.address.rpartition('.')[2]}"


class Pods:
    """Pods that reach each other by name, and nothing else; the bridge is the first one's."""

    def __init__(self, names: Sequence[str], folder: Path) -> None:
        self._all = [Pod(name, str(_FIRST + number)) for number, name in enumerate(names)]
        self._running: list[subprocess.Popen[bytes]] = []
        self._hosts = folder / "hosts"
        lines = ["127.0.0.1 localhost\n", *(f"{each.address} {each.name}\n" for each in self._all)]
        self._hosts.write_text("".join(lines))
        first = self._all[0]
        for pod in self._all:
            _call("ip", "netns", "add", pod.network)
            _call("ip", "-n", pod.network, "link", "set", "lo", "up")
        _call("ip", "-n", first.network, "link", "add", "eth0", "type", "bridge")
        for pod in self._all[1:]:
            end = f"to{pod.address.rpartition('.')[2]}"
            _call(
                *("ip", "-n", first.network, "link", "add", end, "type", "veth"),
                *("peer", "name", "eth0", "netns", pod.network),
            )
            _call("ip", "-n", first.network, "link", "set", end, "master", "eth0", "up")
        for pod in self._all:
            _call("ip", "-n", pod.network, "address", "add", f"{pod.address}/24", "dev", "eth0")
            _call("ip", "-n", pod.network, "link", "set", "eth0", "up")

    def command(
        self,
        number: int,
        image: Image,
        words: Sequence[str],
        environment: Mapping[str, str],
        volumes: Mapping[Path, str],
    ) -> list[str]:
        """The command that runs words in a pod."""
        pod = self._all[number]
        inside = image.command(
            *words[1:],
            program=words[0],
            environment=environment,
            volumes={self._hosts: "/etc/hosts", **volumes},
            network=True,
        )
        return ["nsenter", f"--net=/run/netns/{pod.network}", *_NAMED, pod.name, *inside]

    def start(self, command: Sequence[str], log: Path) -> None:
        """Run a command until the pods are gone."""
        with log.open("wb") as file:
            self._running.append(
                subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=file, stderr=subprocess.STDOUT)
            )

    def close(self) -> None:
        """Let nothing of them run, and nothing be left on this machine."""
        for each in self._running:
            each.kill()
            each.wait()
        for pod in self._all:
            subprocess.run(["ip", "netns", "delete", pod.network], capture_output=True, check=False)


def _call(*words: str) -> None:
    done = subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(words)}\n{done.stderr}"
