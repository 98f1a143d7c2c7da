"""Error messages of Google's APIs, as the provider passes them on."""

import re

from clusterprint_simcloud.cloud.behaviour import Request, Words
from clusterprint_simcloud.cloud.contents import ApiError, Record


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


def _taken(request: Request) -> str:
    text = f"googleapi: Error 409: The resource '{request.identity}' already exists, alreadyExists"
    return f"Error creating {request.kind.label}: {text}"


def _missing(request: Request, message: str) -> str:
    action = "updating" if request.prior is not None else "creating"
    return f"Error {action} {request.kind.label}: {message}"


def _in_use(request: Request, user: Record) -> str:
    label = re.sub(r"(?<=.)(?=[A-Z])", "_", request.kind.label.replace(" ", "")).lower()
    subject = f"The {label} resource '{request.identity}' is already being used by '{user.id}'"
    text = f"googleapi: Error 400: {subject}, resourceInUseByAnotherResource"
    return f"Error deleting {request.kind.label}: {text}"


WORDS = Words(_taken, _missing, _in_use)
