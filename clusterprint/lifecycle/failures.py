"""The meaning of Terraform's errors, and their fixes: the first matching row.

Words are those of the providers and of the clouds behind them; sources stand beside what is not obvious.
"""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from clusterprint.lifecycle.protected import TWO_WORDS


class TerraformFailed(Exception):  # noqa: N818 - it is Terraform that failed
    """A step of Terraform did not succeed.

    `errors` is what it said of each thing that went wrong, `addresses` which resources that was about.
    """

    def __init__(self, step: str, errors: Sequence[str], addresses: Sequence[str] = ()) -> None:
        super().__init__(f"{step} failed")
        self.step = step
        self.errors = tuple(errors)
        self.addresses = tuple(addresses) or ("",) * len(self.errors)


class Failure(NamedTuple):
    """A way in which a run can fail. A `transient` one may go away by itself, and is tried again."""

    name: str
    words: str
    meaning: str
    help: str
    transient: bool = False


FAILURES = (
    Failure(
        "lock not released",
        r"(?:[Rr]eleasing|[Uu]nlocking) the state\b",
        "Terraform finished, but could not release its own lock of the state.",
        "Check that the network is up and that you may write to the bucket; then run the same command with --release-lock ID.",
        transient=True,
    ),
    Failure(
        "stale lock",
        r"Error acquiring the state lock|state lock.*(?:already locked|conditionNotMet)",
        "Another run has locked the state of this stack, or a run that was killed has left its lock.",
        "If that run is still active, wait for it. Otherwise release its lock: "
        "the same command with --release-lock ID.",
    ),
    Failure(
        "expired login",
        r"invalid_grant|invalid_rapt|reauth(?:entication)? (?:related error|is needed|required)"
        r"|could not find default credentials|No credentials loaded|token has been expired or revoked"
        r"|AADSTS(?:700082|70043|50173|700084)|[Pp]lease run 'az login'|az login.{0,40}to (?:setup|access)"
        r"|Error 401|\b401 Unauthorized|[Ii]nvalid (?:authentication )?[Cc]redentials"
        r"|gke-gcloud-auth-plugin.*(?:exit code 1|failed)",
        "Nobody is logged in, or the login has expired.",
        "Log in, and run the same command again: gcloud auth application-default login (Google Cloud), "
        "az login (Azure).",
    ),
    Failure(
        "API off",
        r"accessNotConfigured|SERVICE_DISABLED|has not been used in project .* before or it is disabled"
        r"|MissingSubscriptionRegistration|The subscription is not registered to use namespace",
        "The project has not enabled this service, or it was enabled a moment ago and that has not taken effect yet.",
        "Enable it (gcloud services enable SERVICE --project=PROJECT, or enable_services in the blueprint; on "
        "Azure: az provider register --namespace NAMESPACE), wait a minute, and run the same command again.",
    ),
    Failure(
        "quota",
        r"[Qq]uota '[^']+' exceeded|QUOTA_EXCEEDED|quotaExceeded|Insufficient (?:regional|project) quota"
        r"|exceed(?:ing|s) (?:approved|the) .{0,60}[Qq]uota|QuotaExceeded|Quota limit .{0,80} has been exceeded",
        "The quota of the project or subscription is too low for what the blueprint asks for.",
        "Request more (Google Cloud: https://console.cloud.google.com/iam-admin/quotas, Azure: Usage + quotas of "
        "the subscription), or ask for less in the blueprint, and run the same command again.",
    ),
    Failure(
        "stock-out",
        r"ZONE_RESOURCE_POOL_EXHAUSTED|does not have enough resources available to fulfill"
        r"|GCE_STOCKOUT|GCE out of resources|(?:Zonal)?AllocationFailed|SkuNotAvailable"
        r"|OverconstrainedAllocationRequest|resource pool exhausted",
        "The cloud has no more of these machines here at the moment; the quota is not the problem.",
        "Try again later, choose another zone (clusterprint machines TYPE lists the zones), or another "
        "capacity model: a reservation, flex_start or spot.",
    ),
    Failure(
        "permission",
        r"PERMISSION_DENIED|Required '[^']+' permission|[Pp]ermission '[^']+' denied|AuthorizationFailed"
        r"|does not have (?:the )?(?:authorization|permission|[a-z]+\.[a-zA-Z.]+ access)|\bError 403"
        r"|is forbidden: User|LinkedAuthorizationFailed|googleapi: got HTTP response code 403",
        "The account that is logged in is not allowed to do this.",
        "clusterprint rights BLUEPRINT says which permissions and roles are needed; ask for those, wait a minute "
        "until they take effect, and run the same command again.",
    ),
    Failure(
        "network in use",
        r"The (?:network|subnetwork) resource .* is already being used by|resourceInUseByAnotherResource"
        r"|InUse\w*CannotBeDeleted|Subnet .* is in use by",
        "Something that is not in this state still uses it, such as a firewall rule, a load balancer or a disk "
        "that a controller of the cluster created.",
        "clusterprint down lists what is still in the network, and with --remove-foreign removes that.",
    ),
    Failure(
        "range of services in use",
        r"google_compute_global_address\.\S+\s+has\s+lifecycle\.prevent_destroy",
        "The range of private services is another one now, and file systems have addresses in the old one, which never "
        "change. Nothing of this stack was changed.",
        "Put storage.private_services.cidr back to what it was, or set it to that range if it follows from other ranges "
        "that have changed. For another range, remove the file systems first, apply, and add them again with it.",
    ),
    Failure(
        "release name taken",
        r"cannot re-use a name that is still in use",
        "The cluster has a Helm release of this name that is not in the state: somebody else has installed it, or a run "
        "that failed or was killed.",
        "helm list --all --all-namespaces shows it. If it belongs to this cluster, take it into the state: the same "
        "command with --adopt. If it is somebody else's, leave that component out of the blueprint and use theirs, or "
        "have them uninstall it.",
    ),
    Failure(
        "release unfinished",
        r"another operation \(install/upgrade/rollback\) is in progress",
        "A run was killed while Helm was installing or upgrading this release, or another run is doing so now.",
        "If no other run is active: helm rollback NAME --namespace NAMESPACE, or helm uninstall NAME --namespace "
        "NAMESPACE where there is no earlier revision (helm history shows them). Then run the same command again.",
    ),
    Failure(
        "name taken",
        r"alreadyExists|[Aa]lready[ _][Ee]xists|ALREADY_EXISTS|\bError 409.*already|already own(?:ed)? (?:it|by)"
        r"|requested bucket name is not available|needs to be imported into the State",
        "A resource of this name exists, but is not in the state: created by somebody else, or by a run that was killed "
        "before it could record it.",
        "If backend of the blueprint has changed, another state has it, and two states must not own one cluster: put "
        "backend back, or move the state. If no state has it and it belongs to this cluster, take it into the state: "
        "the same command with --adopt. If it is somebody else's, give the cluster another name.",
    ),
    Failure(
        "provider crash",
        r"[Pp]lugin did not respond|plugin (?:crashed|process exited)|failed to respond to the plugin\."
        r"|panic: runtime error|rpc error: code = Unavailable desc = (?:error reading from server|transport)",
        "A provider of Terraform has crashed. What it was creating at that moment may exist without being in "
        "the state.",
        "Run the same command again; if it then says that a name is taken, add --adopt. If it crashes each time, "
        "that is a bug of the provider: its output is in the log.",
    ),
    Failure(
        "newer state",
        r"cannot import state with serial \d+ over newer state|over newer state with serial",
        "An earlier run could not save its state, and since then another one has saved a newer one.",
        "Both are kept: the file named above has what that run created. Import what is missing into the state "
        "(up --adopt, or terraform import), and delete that file.",
    ),
    Failure(
        "state bucket missing",
        r"storage: bucket doesn't exist|The specified bucket does not exist",
        "The bucket for the state does not exist.",
        "Create it with clusterprint init state BLUEPRINT, and run the same command again.",
    ),
    Failure(
        "webhook not ready",
        r"failed (?:calling|to call) webhook|no endpoints available for service",
        "A controller in the cluster was called before it was ready.",
        "It usually is after a minute: run the same command again. If not, look at its pods with kubectl.",
        transient=True,
    ),
    Failure(
        "stack of a destroyed cluster",
        r"does not have an attribute\s+named\s+\"cross-stack-output|Unable to find remote state"
        r"|Kubernetes cluster unreachable|invalid configuration: no configuration has been provided"
        r"|dial tcp .*:443: (?:i/o timeout|connect: (?:connection refused|no route to host))"
        r"|lookup .*\.gke\.goog.*no such host",
        "The cluster that this stack is in does not exist (any more), or cannot be reached from here.",
        "clusterprint up BLUEPRINT creates it again. If it exists, check that this machine is in authorized_networks "
        "or reaches the cluster through its DNS endpoint.",
    ),
    Failure(
        "backend unreachable",
        r"Failed to (?:get existing workspaces|load state|save state|persist state|open state)"
        r"|Error (?:loading|saving|refreshing) (?:the )?state|querying Cloud Storage failed",
        "The bucket with the state cannot be reached. A state that could not be saved is kept on this machine, "
        "and saved by the next run.",
        "Check that the network is up and that you may read and write the bucket, and run the same command again, "
        "on this machine.",
        transient=True,
    ),
    Failure(
        "providers not installed",
        r"Failed to (?:query available provider packages|install provider)"
        r"|could not connect to registry|Failed to resolve provider packages",
        "The providers of Terraform cannot be downloaded.",
        "Check that this machine reaches registry.terraform.io, or set up a mirror "
        "(https://developer.hashicorp.com/terraform/cli/config/config-file#provider-installation).",
        transient=True,
    ),
    Failure(
        "import failed",
        r"Error running command 'fill-lustre'|fill-lustre: ",
        "Terraform has created the file system, but it is not filled: usually the bucket does not exist, its "
        "permissions do not allow reading it, or the import timed out.",
        "Terraform's output says why. Nothing that was created is lost: run the same command again. It waits for an "
        "import in progress, and copies only what is missing.",
    ),
    Failure(
        "data kept",
        r"Error running command 'keep-data'|keep-data: ",
        "A volume or share has left the blueprint, and its data is protected. So it was not deleted; other changes of "
        "the same run may have taken place.",
        "To keep it, put its entry back and run the same command again. To delete it with its data, put the entry "
        "back with deletion_protection: false, and its name into storage.may_lose; apply; then remove both.",
    ),
    Failure(
        "nodes missing",
        r"local-exec provisioner error",
        "Terraform has created everything, but some nodes are missing: usually the quota is too low, or there is no "
        "such machine available.",
        "Terraform's output says which nodes and why. Run the same command again to go on "
        "waiting, or clusterprint down to destroy everything.",
    ),
    Failure(
        "kept by its policy",
        r"without setting deletion_policy=",
        "It holds data, and the state says that it must not be deleted.",
        f"Undo the change that deletes or replaces it, and say {TWO_WORDS}; apply; then make the change again. "
        "clusterprint down --include-data removes this protection by itself, after showing it; the one that "
        "Filestore itself has needs the same two words.",
    ),
    Failure(
        "protected",
        r"Instance cannot be destroyed|lifecycle\.prevent_destroy|[Dd]eletion[ _]?[Pp]rotection|ScopeLocked",
        "It is protected from being deleted.",
        f"A volume or a disk pool: undo the change that deletes or replaces it, and say {TWO_WORDS}; apply; then "
        "make the change again. clusterprint down removes protections, those of data with --include-data, after "
        "showing them and asking; the one that Filestore itself has needs the same two words, and a lock on Azure "
        "has to be removed by its owner. Where an up would recreate it because an earlier one reported it as "
        "failed, though it exists: up --adopt keeps it.",
    ),
    Failure(
        "disk full",
        r"no space left on device|disk is full|could write the state nowhere",
        "The disk of this machine is full.",
        "Free some space, and run the same command again.",
    ),
    Failure(
        "service busy",
        r"rateLimitExceeded|RATE_LIMIT_EXCEEDED|\bError (?:429|500|502|503|504)\b|backendError|Too Many Requests"
        r"|TLS handshake timeout|connection reset by peer|unexpected EOF|resourceNotReady|RetryableError"
        r"|StatusCode=(?:429|50[0234])|Client\.Timeout exceeded|temporary failure in name resolution",
        "The cloud did not answer as it should; that is usually temporary.",
        "Run the same command again in a few minutes.",
        transient=True,
    ),
    Failure(
        "not ready in time",
        r"context deadline exceeded|timed out waiting for the condition",
        "Software installed in the cluster did not become ready in time: usually its images are still being pulled, or "
        "there are no nodes for its pods yet.",
        "kubectl get pods --all-namespaces shows what is not ready. Run the same command again: it goes on where this "
        "one stopped.",
    ),
)

_PATTERNS = tuple((failure, re.compile(failure.words, re.DOTALL)) for failure in FAILURES)

UNKNOWN = Failure("unknown", "", "", "Terraform's output is above; what was created is in the state.")


def explain(error: str) -> Failure:
    """The failure that an error of Terraform belongs to; `UNKNOWN` if no row matches."""
    return next((failure for failure, pattern in _PATTERNS if pattern.search(error)), UNKNOWN)


def is_transient(errors: Sequence[str]) -> bool:
    """Whether all that went wrong may be gone at the next try."""
    return bool(errors) and all(explain(each).transient for each in errors)


def by_failure(errors: Iterable[str]) -> dict[Failure, list[str]]:
    """The errors, each once, by what they are about."""
    found: dict[Failure, list[str]] = {}
    for error in dict.fromkeys(errors):
        found.setdefault(explain(error), []).append(error)
    return found


class Lock(NamedTuple):
    """Who has locked a state, in Terraform's words."""

    id: str
    who: str
    operation: str
    created: str
    path: str


def lock_in(error: str) -> Lock | None:
    """The lock that an error is about."""
    # What the backend says while it is set up has its lines in one, as in a program.
    lines = error.replace("\\n", "\n")
    found = dict(re.findall(r"^\W*(ID|Who|Operation|Created|Path):\s*(.*?)\s*$", lines, re.MULTILINE))
    if "ID" not in found:
        return None
    return Lock(
        id=found["ID"],
        who=found.get("Who", ""),
        operation=found.get("Operation", ""),
        created=found.get("Created", ""),
        path=found.get("Path", ""),
    )


def unreleased_in(errors: Iterable[str]) -> Lock | None:
    """The lock that the failed command held itself and could not release."""
    return next((lock_in(each) for each in errors if explain(each).name == "lock not released"), None)


def is_released(error: str) -> bool:
    """Whether a lock could not be released because it is not there any more: an id is one lock for ever."""
    return re.search(r"\bError (?:404|412)\b|object doesn't exist", error) is not None
