"""How Google's APIs say no, as the provider passes it on."""

from clusterprint.simcloud.cloud.behaviour import Request
from clusterprint.simcloud.cloud.contents import ApiError


def refusal(request: Request, text: str, reason: str = "invalid", status: int = 400) -> ApiError:
    """The error of a create or an update."""
    action = "updating" if request.prior is not None else "creating"
    return api_error(f"Error {action} {request.kind.label}", text, reason, status)


def api_error(what: str, text: str, reason: str = "invalid", status: int = 400) -> ApiError:
    """The error of anything else; `what` is the provider's own beginning of the message."""
    return ApiError(f"{what}: googleapi: Error {status}: {text}, {reason}")


def not_found(what: str, identity: str) -> ApiError:
    """Something that is looked up is not there."""
    return api_error(what, f"The resource '{identity}' was not found", "notFound", 404)


def field(name: str, value: object) -> str:
    """How most messages begin."""
    return f"Invalid value for field '{name}': '{value}'"
