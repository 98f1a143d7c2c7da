"""Error messages of Azure's APIs, as the provider passes them on."""

from __future__ import annotations

from clusterprint_simcloud.cloud.behaviour import Request, Words
from clusterprint_simcloud.cloud.contents import ApiError, Record


def refusal(request: Request, code: str, text: str, status: str = "400 (400 Bad Request)") -> ApiError:
    """The error of a create or an update that the API refuses."""
    action = "updating" if request.prior is not None else "creating"
    return ApiError(f"{action} {request.kind.label} {request.identity!r}: {_answer(status, code, text)}")


def invalid(request: Request, text: str) -> ApiError:
    """The error of the provider's own code, which comes before any call of the API."""
    action = "updating" if request.prior is not None else "creating"
    return ApiError(f"{action} {request.kind.label} {request.identity!r}: {text}")


def _answer(status: str, code: str, text: str) -> str:
    return f"unexpected status {status} with error: {code}: {text}"


def _taken(request: Request) -> str:
    return (
        f'A resource with the ID "{request.identity}" already exists - to be managed via Terraform this'
        " resource needs to be imported into the State. Please see the resource documentation for"
        f' "{request.kind.name}"'
        " for more information."
    )


def _missing(request: Request, message: str) -> str:
    action = "updating" if request.prior is not None else "creating"
    return f"{action} {request.kind.label} {request.identity!r}: {message}"


def _in_use(request: Request, user: Record) -> str:
    text = f"{request.kind.label} {request.identity} is in use by {user.id} and cannot be deleted."
    return f"deleting {request.kind.label} {request.identity!r}: " + _answer(
        "400 (400 Bad Request)", "InUseCannotBeDeleted", text
    )


def not_found(request: Request, value: str) -> str:
    """The API's message for an id that names nothing."""
    text = f"Resource {value} referenced by resource {request.identity} was not found."
    return _answer("400 (400 Bad Request)", "InvalidResourceReference", text)


WORDS = Words(_taken, _missing, _in_use)
