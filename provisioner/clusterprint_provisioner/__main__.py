"""The slice provisioner, with the options and variables of the controller that it replaces."""

import argparse
import logging
import os
import signal
import socket
import sys
import time
import uuid
from threading import Event, Thread

from clusterprint_provisioner import serving, settings, transports, webhook
from clusterprint_provisioner.container import CloudError, Container
from clusterprint_provisioner.controller import Controller
from clusterprint_provisioner.election import Elector
from clusterprint_provisioner.kube import Kubernetes
from clusterprint_provisioner.loop import USUAL, Loop, Pace
from clusterprint_provisioner.marks import Now
from clusterprint_provisioner.watching import Copies

_NAMESPACE_FILE = "/var/run/secrets/kubernetes.io/serviceaccount/namespace"
_NAMESPACE = "tpu-provisioner-system"
_LAST_ANSWER = 5.0  # seconds


def main(arguments: list[str] | None = None) -> int:
    """Run until told to stop. 2: options or settings that mean nothing; 3: what it needs is not there."""
    options = options_of().parse_args(arguments)
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(levelname)s %(message)s", stream=sys.stderr)
    stop, wake = Event(), Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: _end(stop, wake))
    if options.part == "webhook":
        return _webhook(stop)
    try:
        chosen = settings.read(os.environ)
    except settings.Unfit as error:
        sys.stderr.write(f"{error}\n")
        return 2
    try:
        container = Container(transports.google(), chosen)
        kube = Kubernetes(_cluster(), _namespace())
    except (CloudError, Unreachable) as error:
        sys.stderr.write(f"{error}\n")
        return 3
    run(options, chosen, (kube, container), stop, wake)
    return 0


def _webhook(stop: Event) -> int:
    try:
        return webhook.main(stop, lambda: Kubernetes(_cluster(), _namespace()))
    except Unreachable as error:
        sys.stderr.write(f"{error}\n")
        return 3


class Unreachable(Exception):  # noqa: N818 - it is the cluster that is not reachable
    """No cluster is known here."""


def _cluster() -> transports.ClusterTransport:
    from kubernetes.config import ConfigException

    try:
        return transports.ClusterTransport()
    except ConfigException as error:
        raise Unreachable(f"no cluster found, neither as a pod nor in a kubeconfig: {error}") from error


def run(  # noqa: PLR0913, PLR0917 - all that is chosen before
    options: argparse.Namespace,
    chosen: settings.Settings,
    apis: tuple[Kubernetes, Container],
    stop: Event,
    wake: Event,
    pace: Pace = USUAL,
) -> None:
    """Watch, campaign and work until told to stop, which `wake` hastens."""
    kube, container = apis
    elector = Elector(kube, f"{socket.gethostname()}_{uuid.uuid4().hex[:8]}", time.monotonic)
    copies = Copies(kube, wake.set)
    leads = elector.leads if options.leader_elect else (lambda: True)
    controller = Controller(kube, container, chosen, lambda: Now(time.time(), time.monotonic()), leads)
    loop = Loop(controller, copies, leads, stop, wake, pace)
    serving.serve(options.health_probe_bind_address, serving.health(loop.is_alive, lambda: copies.are_ready))
    if options.metrics_bind_address != "0":
        serving.serve(options.metrics_bind_address, serving.metrics(kube, controller.metrics.text))
    for copy in copies.each:
        Thread(target=copy.run, args=(stop,), daemon=True).start()
    campaign = Thread(target=loop.campaign, args=(elector,), daemon=True)
    if options.leader_elect:
        campaign.start()
    loop.run()
    if options.leader_elect:
        campaign.join(_LAST_ANSWER)  # what it still asks for may make this one the leader
    elector.give_up()


def _end(stop: Event, wake: Event) -> None:
    stop.set()
    wake.set()


def _namespace() -> str:
    try:
        with open(_NAMESPACE_FILE, encoding="utf-8") as file:  # noqa: PTH123 - a fixed path of a pod
            return file.read().strip()
    except OSError:
        return os.environ.get("POD_NAMESPACE", _NAMESPACE)


def options_of() -> argparse.ArgumentParser:
    """The options of the command."""
    parser = argparse.ArgumentParser(prog="clusterprint-provisioner", description=__doc__, allow_abbrev=False)
    parts = "controller: creates and deletes pools; webhook: binds jobs to them, and takes no options"
    parser.add_argument(
        "part", nargs="?", choices=("controller", "webhook"), default="controller", help=parts
    )
    parser.add_argument("--leader-elect", action="store_true", help="work only while holding the Lease")
    for name, default, text in (
        ("health-probe", ":8081", "/healthz and /readyz"),
        ("metrics", ":8080", "/metrics, for authorized clients; 0: disabled"),
    ):
        parser.add_argument(
            f"--{name}-bind-address", default=default, help=text, metavar="HOST:PORT", type=_address
        )
    return parser


def _address(text: str) -> str:
    host, colon, port = text.rpartition(":")
    if text == "0" or (colon and port.isascii() and port.isdigit() and int(port) < 65536):  # noqa: PLR2004
        return text if text == "0" else f"{host}:{port}"
    raise argparse.ArgumentTypeError(f"{text!r} is not HOST:PORT")


if __name__ == "__main__":
    sys.exit(main())
