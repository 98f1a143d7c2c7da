"""Terraform as it is on this machine, with credentials that are nobody's."""

import base64
import json
import os
import shutil
import signal
import subprocess
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path

# Nothing of the caller's own credentials gets into a run; where providers come from does.
_DROPPED = (
    "GOOGLE_",
    "GCLOUD_",
    "CLOUDSDK_",
    "ARM_",
    "AZURE_",
    "KUBE_",
    "KUBECONFIG",
    "TF_VAR_",
    "TF_CLI_ARGS",
)
# What Terraform says when it finds no providers.
_UNREACHABLE = (
    "Failed to query available provider packages",
    "Could not retrieve the list of available versions",
)
# A command that is not done by then hangs: the longest, of a whole cluster, take a few minutes.
_SECONDS = 1800
_CHANGING = ("create", "update", "delete", "replace")


class Unreachable(Exception):  # noqa: N818 - it is the registry that is
    """No provider could be had; the message says of whom it was asked."""


class Failed(Exception):  # noqa: N818 - it is the run that has
    """A run ended with an error; the message is what was said, shortened."""


class Terraform:
    """Runs Terraform; `environment` is put over what this process has.

    A command that takes more than so many `seconds` is ended, with all that it started, and has failed.
    """

    def __init__(self, environment: Mapping[str, str], seconds: float = _SECONDS) -> None:
        kept = {name: each for name, each in os.environ.items() if not name.startswith(_DROPPED)}
        self.environment = {**kept, "CHECKPOINT_DISABLE": "1", "TF_IN_AUTOMATION": "1", **environment}
        program = shutil.which("terraform") or shutil.which("tofu")
        if program is None:
            raise Unreachable("neither terraform nor tofu is on the PATH")
        self._program, self._seconds = program, seconds

    def init(self, folder: Path) -> None:
        """Install the providers. Raises Unreachable, Failed."""
        try:
            self.run(folder, "init", "-backend=false")
        except Failed as failed:
            if any(each in str(failed) for each in _UNREACHABLE):
                raise Unreachable(str(failed)) from failed
            raise

    def run(self, folder: Path, *arguments: str, fine: tuple[int, ...] = (0,)) -> int:
        """Run a command in a folder; the exit code. Raises Failed for one that is not fine."""
        return self._done(folder, *arguments, fine=fine).returncode

    def changes(self, folder: Path) -> dict[str, str]:
        """The actions of a plan: address -> `create`, `update`, `delete`, `replace`. Raises Failed."""
        return self._changed(folder, "plan", "-json")

    def apply(self, folder: Path) -> dict[str, str]:
        """Apply; the actions, as `changes` words them. Raises Failed."""
        return self._changed(folder, "apply", "-auto-approve", "-json")

    def _changed(self, folder: Path, *arguments: str) -> dict[str, str]:
        said = self._done(folder, *arguments).stdout
        messages = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
        planned = [one["change"] for one in messages if one["type"] == "planned_change"]
        return {one["resource"]["addr"]: one["action"] for one in planned if one["action"] in _CHANGING}

    def _done(
        self, folder: Path, *arguments: str, fine: tuple[int, ...] = (0,)
    ) -> subprocess.CompletedProcess[str]:
        command = [self._program, *arguments[:1], "-no-color", "-input=false", *arguments[1:]]
        if arguments[0] == "validate":
            command.remove("-input=false")
        done = self._ended(command, folder)
        if done.returncode not in fine:
            raise Failed(f"terraform {' '.join(arguments)}: exit code {done.returncode}\n{_said(done)}")
        return done

    def _ended(self, command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
        """Run it to its end. Its group is ended with it: a provider or script would keep the pipes open."""
        with subprocess.Popen(
            command,
            cwd=folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
        ) as process:
            try:
                stdout, stderr = process.communicate(timeout=self._seconds)
            except BaseException as error:
                os.killpg(process.pid, signal.SIGKILL)
                if not isinstance(error, subprocess.TimeoutExpired):
                    raise
                last = "\n".join(process.communicate()[0].splitlines()[-5:])
                said = f"terraform {command[1]}: ended after {self._seconds:g} seconds; it said last:\n{last}"
                raise Failed(said) from error
        return subprocess.CompletedProcess(command, process.returncode, stdout, stderr)


def _said(done: subprocess.CompletedProcess[str]) -> str:
    lines = (done.stderr.strip() or done.stdout.strip()).splitlines()
    return "\n".join(lines[:40])


@contextmanager
def nobody() -> Iterator[dict[str, str]]:
    """Credentials that open nothing, by the variables that providers read.

    Azure's provider wants a token before it plans: a server on this machine hands one out, as that of a
    virtual machine would.
    """
    server = HTTPServer(("127.0.0.1", 0), _Identity)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield {
            "GOOGLE_OAUTH_ACCESS_TOKEN": "nobody",
            "ARM_USE_MSI": "true",
            "ARM_MSI_ENDPOINT": f"http://127.0.0.1:{server.server_port}/token",
            "ARM_TENANT_ID": _ID,
            "ARM_RESOURCE_PROVIDER_REGISTRATIONS": "none",
        }
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


_ID = "00000000-0000-0000-0000-000000000000"


class _Identity(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        claims = {"oid": _ID, "tid": _ID, "appid": _ID, "aud": "nobody", "exp": 4102444800}
        parts = ({"alg": "none", "typ": "JWT"}, claims)
        token = ".".join(
            base64.urlsafe_b64encode(json.dumps(each).encode()).decode().strip("=") for each in parts
        )
        answer = {"access_token": f"{token}.nobody", "expires_in": "86400", "expires_on": "4102444800"}
        content = json.dumps({**answer, "token_type": "Bearer", "resource": "nobody"}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Nothing: what is asked here is of no interest."""
