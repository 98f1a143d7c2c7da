"""Files that manifests name by URL: downloaded once, checked, and kept beside the blueprint."""

import http.client
import ssl
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import UNSET

from clusterprint.derived import vendored
from clusterprint.derived.kubernetes_objects import NotReadable, read_objects
from clusterprint.errors import EnvironmentFailure
from clusterprint.files import safe_write
from clusterprint.files.inside import NotRead, leads_out, read
from clusterprint.vendoring.manifests import MOST_BYTES, manifests_in

_SECONDS = 30


class Kept(NamedTuple):
    """A file that a blueprint keeps below `folder`, its own: where it is from and what it must be."""

    name: str
    folder: Path
    url: str
    sha256: str

    @property
    def file(self) -> Path:
        """Where it lies."""
        return self.folder / self.name

    @property
    def source(self) -> str:
        """The inputs, for messages."""
        return self.url

    def is_there(self) -> bool:
        """Whether it is there as it must be."""
        try:
            return vendored.sha256(vendored.objects_of(read(self.file, MOST_BYTES))) == self.sha256
        except (OSError, NotRead):
            return False

    def keep(self) -> None:
        """Fetch it and put it where it belongs. Raises Unlike, EnvironmentFailure."""
        objects = download(self.url)
        found = vendored.sha256(objects)
        if found != self.sha256:
            raise Unlike(f"has the checksum {found}, not sha256: {self.sha256}")
        try:
            read_objects(objects.decode())
        except UnicodeDecodeError:
            raise Unlike("is not a text in UTF-8") from None
        except NotReadable as error:
            raise Unlike(str(error)) from None
        content = vendored.fetched(self.url, objects)
        if len(content) > MOST_BYTES:
            raise Unlike("is larger than 1 MiB, and Helm keeps no release that large")
        safe_write.write(content, self.file, self.folder)


class Unlike(Exception):  # noqa: N818 - it is the file that is unlike
    """The fetched file differs from the blueprint's; the message completes "<url> ..."."""


def kept_by(data: Any, folder: Path) -> Iterator[Kept]:
    """The files that a blueprint names by URL. What is not written as it should be, `validate` tells."""
    for said in manifests_in(data):
        if said.url is UNSET or said.sha256 is UNSET or said.file is UNSET:
            continue
        if not leads_out(folder / said.file, folder):
            yield Kept(said.file, folder, said.url, said.sha256)


def download(url: str) -> bytes:
    """The content of an https URL, of a limited size. Raises EnvironmentFailure."""
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
