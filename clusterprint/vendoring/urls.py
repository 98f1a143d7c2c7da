"""Files of others that manifests name by URL: fetched once, checked, and kept beside the blueprint."""

import hashlib
import http.client
import ssl
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec import UNSET

from clusterprint.blueprint.gke.components import Manifest
from clusterprint.errors import EnvironmentFailure
from clusterprint.files import aside
from clusterprint.files.inside import NotRead, leads_out, read

#: Larger ones fit into no release.
MOST_BYTES = 1 << 20

_SECONDS = 30

Open = Callable[[str], bytes]


class Kept(NamedTuple):
    """A file that a blueprint keeps: where it is from, what it must be, and where it lies."""

    name: str
    file: Path
    url: str
    sha256: str

    @property
    def source(self) -> str:
        """What it is made of, for messages."""
        return self.url

    def is_there(self) -> bool:
        """Whether it is there as it must be."""
        try:
            return _checksum(read(self.file, MOST_BYTES)) == self.sha256
        except (OSError, NotRead):
            return False


class Unlike(Exception):  # noqa: N818 - it is the file that is unlike
    """What was fetched is not what the blueprint says; the message completes "<url> ..."."""


def kept_by(data: Any, folder: Path) -> Iterator[Kept]:
    """The files that a blueprint names by URL. What is not written as it should be, `validate` tells."""
    workloads = data.get("workloads") if isinstance(data, dict) else None
    manifests = workloads.get("manifests") if isinstance(workloads, dict) else None
    for each in manifests if isinstance(manifests, list) else ():
        try:
            said = msgspec.convert(each, Manifest)
        except (msgspec.ValidationError, TypeError):
            continue
        if said.url is UNSET or said.sha256 is UNSET or said.file is UNSET:
            continue
        if not leads_out(folder / said.file, folder):
            yield Kept(said.file, folder / said.file, said.url, said.sha256)


def keep(kept: Kept, fetch: Open | None = None) -> None:
    """Fetch a file and put it where it belongs. Raises Unlike, EnvironmentFailure."""
    content = (fetch or download)(kept.url)
    found = _checksum(content)
    if found != kept.sha256:
        raise Unlike(f"has the checksum {found}, not sha256: {kept.sha256}")
    try:
        kept.file.parent.mkdir(parents=True, exist_ok=True)
        aside.write(content, kept.file)
    except OSError as error:
        raise EnvironmentFailure(f"{kept.name} cannot be written: {error.strerror}") from None


def download(url: str) -> bytes:
    """What lies at an https URL, of a size that can be kept. Raises EnvironmentFailure."""
    opener = urllib.request.build_opener(OnlyHttps())
    try:
        with opener.open(url, timeout=_SECONDS) as answer:
            content: bytes = answer.read(MOST_BYTES + 1)
    except urllib.error.HTTPError as error:
        raise EnvironmentFailure(f"{url} cannot be fetched: {error.code} {error.reason}") from None
    except urllib.error.URLError as error:
        raise EnvironmentFailure(f"{url} cannot be fetched: {error.reason}") from None
    except (OSError, ssl.SSLError, http.client.HTTPException, ValueError) as error:
        raise EnvironmentFailure(f"{url} cannot be fetched: {error}") from None
    if len(content) > MOST_BYTES:
        raise EnvironmentFailure(f"{url} is larger than 1 MiB, and Helm keeps no release that large")
    return content


class OnlyHttps(urllib.request.HTTPRedirectHandler):
    """Nobody is sent on to what is not encrypted, or to a file of this machine."""

    def redirect_request(  # noqa: PLR0913, PLR0917 - urllib's signature
        self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str
    ) -> urllib.request.Request | None:
        """The next request, as urllib makes it. Raises URLError."""
        if not newurl.startswith("https://"):
            raise urllib.error.URLError("it redirects to something that is not https")
        return super().redirect_request(req, fp, code, msg, headers, newurl)


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
