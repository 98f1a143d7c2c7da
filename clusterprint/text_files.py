"""The texts that a blueprint carries."""

from io import BytesIO, TextIOWrapper
from pathlib import Path

from msgspec import UNSET

from clusterprint.blueprint.content import TextFile
from clusterprint.checked_files import content_of
from clusterprint.errors import InternalError


def text_of(text: TextFile, folder: Path) -> str:
    """The text itself, wherever it is given; files lie below the blueprint's folder."""
    if text.inline is not UNSET:
        return text.inline
    if text.file is UNSET:
        raise InternalError(f"a {text.noun} with neither text nor file passed validation")
    return text_in(folder / text.file, folder)


def text_in(file: Path, folder: Path) -> str:
    """The text of a file below the blueprint's folder, with plain line ends. Raises EnvironmentFailure."""
    with TextIOWrapper(BytesIO(content_of(file, folder)), "utf-8") as stream:
        return stream.read()
