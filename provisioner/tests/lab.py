"""A cluster to try the provisioner in: two APIs, a clock, and somebody who plays JobSet and scheduler."""

from collections.abc import Iterator, Mapping

from api_server import ApiServer, Right
from container_api import ContainerApi
from users import Users

from clusterprint_provisioner.container import Container
from clusterprint_provisioner.controller import Controller
from clusterprint_provisioner.kube import Kubernetes
from clusterprint_provisioner.marks import Now
from clusterprint_provisioner.settings import Settings, read
from clusterprint_provisioner.watching import Copies

HOME = "tpu-provisioner-system"
ENVIRONMENT = {
    "GCP_PROJECT_ID": "my-project",
    "GCP_CLUSTER": "my-cluster",
    "GCP_CLUSTER_LOCATION": "us-east5",
    "GCP_ZONE": "us-east5-a",
    "GCP_NODE_SERVICE_ACCOUNT": "nodes@my-project.iam.gserviceaccount.com",
}


class Killed(BaseException):
    """The process ends here, as if by the kernel."""


class Calls:
    """Counts what leaves the process, and ends it at one: `before` that is done, or right after."""

    def __init__(self, kill_at: int = 0, *, before: bool = False) -> None:
        self.count = 0
        self.killed = False
        self._kill_at, self._before = kill_at, before

    def pass_(self, *, after: bool) -> None:
        """A call begins, or has been answered."""
        if not after:
            self.count += 1
        if self.count == self._kill_at and after is not self._before and not self.killed:
            self.killed = True
            raise Killed


class Lab(Users):
    """Everything around the provisioner, and the provisioner itself."""

    def __init__(
        self,
        settings: Mapping[str, str] | None = None,
        *,
        rights: list[Right] | None = None,
        permissions: set[str] | None = None,
    ) -> None:
        self.wall = 1_790_000_000.0
        self.steady = 1000.0
        self.settings: Settings = read({**ENVIRONMENT, **(settings or {})})
        self.api = ApiServer(rights)
        self.cloud = ContainerApi(lambda: self.steady, permissions)
        self.cloud.on_running = self._nodes_come
        self.cloud.on_gone = self._nodes_go
        self.calls = Calls()
        self.leads = True
        self.start()

    # The provisioner.

    def start(self) -> None:
        """A new process: it knows nothing."""
        kube = Kubernetes(self, HOME)
        cloud = Container(self._ask_cloud, self.settings)
        clock = lambda: Now(self.wall, self.steady)  # noqa: E731 - as short as it gets
        self.controller = Controller(kube, cloud, self.settings, clock, lambda: self.leads)
        self.copies = Copies(kube, lambda: None)
        self._fresh = True

    def round(self) -> bool:
        """One round, with all that has changed seen."""
        for copy in self.copies.each:
            if self._fresh:
                copy.refresh()
            else:
                copy.follow()
        self._fresh = False
        return self.controller.round(self.copies.cluster())

    def run(self, seconds: float = 600.0, step: float = 5.0) -> None:
        """Rounds for so long, with the jobs' pods put on nodes that fit."""
        for _ in range(int(seconds / step)):
            self.schedule()
            self.round()
            self.wait(step)

    def survive(self) -> bool:
        """One round; whether the process was killed in it. Then there is a new one."""
        try:
            self.round()
        except Killed:
            self.start()
            return True
        return False

    def wait(self, seconds: float) -> None:
        """Time goes by."""
        self.wall += seconds
        self.steady += seconds

    def request(
        self, method: str, path: str, query: Mapping[str, str], body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        """The way to the API server."""
        self.calls.pass_(after=False)
        answer = self.api.request(method, path, query, body, headers)
        self.calls.pass_(after=True)
        return answer

    def lines(self, path: str, query: Mapping[str, str], headers: Mapping[str, str]) -> Iterator[bytes]:
        """The way of watches."""
        return self.api.lines(path, query, headers)

    def _ask_cloud(self, method: str, path: str, body: bytes | None) -> tuple[int, bytes]:
        self.calls.pass_(after=False)
        answer = self.cloud(method, path, body)
        self.calls.pass_(after=True)
        return answer
