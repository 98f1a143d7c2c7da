"""Serve providers to Terraform: in this process (reattach), or as one that Terraform starts (mirror).

Traps of the reattach way, each of which has cost somebody an hour:

- Terraform kills the announced process when it cannot dial the socket, so that must never be this process;
  and it cancels every running call once that process is gone. An idle child that ends with us serves as one.
- A `grpc.Server` that is garbage-collected removes its socket: keep a reference.
- A socket's path may have 107 bytes at most: the folder must be short, so not under pytest's `tmp_path`.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterable, Mapping
from concurrent import futures
from pathlib import Path
from typing import Any

import grpc
from tf.gen import grpc_controller_pb2 as controller
from tf.gen import grpc_controller_pb2_grpc as controller_rpc
from tf.gen import grpc_stdio_pb2_grpc as stdio_rpc
from tf.gen import tfplugin_pb2_grpc as rpc

from clusterprint_simcloud.plugin.certificate import Certificate
from clusterprint_simcloud.plugin.servicer import Servicer

_THREADS = 16
_UNLIMITED = [("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1)]
# Core protocol 1 of go-plugin, protocol 6 of Terraform.
_HANDSHAKE = "1|6|unix|{socket}|grpc|{certificate}"
# Leaves room for our folder and a provider's name in the 107 bytes of a socket's path.
_LONGEST_FOLDER = 60
# Where spawned providers put their sockets; the world that set it removes what crashed ones leave behind.
SOCKETS_VARIABLE = "CLUSTERPRINT_SIMULATED_SOCKETS"
_IDLE = "import sys; sys.stdin.read()"


class _Controller(controller_rpc.GRPCControllerServicer):  # type: ignore[misc]  # generated without types
    def __init__(self) -> None:
        self.stop = threading.Event()

    def Shutdown(self, request: Any, context: Any) -> controller.Empty:  # noqa: N802, ARG002
        self.stop.set()
        return controller.Empty()


class _Stdio(stdio_rpc.GRPCStdioServicer):  # type: ignore[misc]  # generated without types
    def StreamStdio(self, request: Any, context: Any) -> Iterable[Any]:  # noqa: N802, ARG002
        return iter(())


def _server(servicer: Servicer, workers: futures.Executor) -> tuple[grpc.Server, _Controller]:
    control = _Controller()
    server = grpc.server(workers, options=_UNLIMITED)
    rpc.add_ProviderServicer_to_server(servicer, server)
    controller_rpc.add_GRPCControllerServicer_to_server(control, server)
    stdio_rpc.add_GRPCStdioServicer_to_server(_Stdio(), server)
    return server, control


class Attached:
    """Servers in this process that Terraform reattaches to; `close` when done."""

    def __init__(self, servicers: Mapping[str, Servicer]) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="cps", dir=short_folder()))
        self._servers: list[grpc.Server] = []
        self._workers: list[futures.Executor] = []
        self._idle = subprocess.Popen(  # noqa: S603  (our own interpreter)
            [sys.executable, "-S", "-c", _IDLE], stdin=subprocess.PIPE
        )
        addresses = {f"hashicorp/{name}": self._serve(name, servicer) for name, servicer in servicers.items()}
        self.environment = {"TF_REATTACH_PROVIDERS": json.dumps(addresses)}

    def _serve(self, name: str, servicer: Servicer) -> dict[str, Any]:
        workers = futures.ThreadPoolExecutor(_THREADS)
        self._workers.append(workers)
        server, _ = _server(servicer, workers)
        socket = str(self._folder / name)
        server.add_insecure_port(f"unix:{socket}")
        server.start()
        self._servers.append(server)
        address = {"Network": "unix", "String": socket}
        return {
            "Protocol": "grpc",
            "ProtocolVersion": 6,
            "Pid": self._idle.pid,
            "Test": True,
            "Addr": address,
        }

    def close(self) -> None:
        """Stop the servers and remove their sockets."""
        for stopping in [server.stop(0) for server in self._servers]:
            stopping.wait()
        # What a cloud has begun it ends, whoever has gone away meanwhile.
        for workers in self._workers:
            workers.shutdown()
        if self._idle.stdin is not None:
            self._idle.stdin.close()
        self._idle.wait()
        shutil.rmtree(self._folder, ignore_errors=True)


def short_folder() -> str | None:
    """A folder for sockets: `TMPDIR` may be too long for one."""
    too_long = len(tempfile.gettempdir()) > _LONGEST_FOLDER
    return "/tmp" if too_long and os.access("/tmp", os.W_OK) else None  # noqa: S108


def run(servicer: Servicer) -> None:
    """Serve one provider to the Terraform that started this process, until it says that it is done."""
    server, control = _server(servicer, futures.ThreadPoolExecutor(_THREADS))
    certificate = Certificate.cached()
    folder = tempfile.mkdtemp(prefix="cps", dir=os.environ.get(SOCKETS_VARIABLE) or short_folder())
    socket = str(Path(folder) / "s")
    credentials = grpc.ssl_server_credentials([(certificate.key.encode(), certificate.pem.encode())])
    server.add_secure_port(f"unix:{socket}", credentials)
    server.start()
    sys.stdout.write(_HANDSHAKE.format(socket=socket, certificate=certificate.announced) + "\n")
    sys.stdout.flush()
    control.stop.wait()
    server.stop(0.1).wait()
    with contextlib.suppress(OSError):
        shutil.rmtree(folder)
    os._exit(0)  # gRPC's threads would keep the process for two more seconds
