"""The texts that a blueprint carries."""

from io import BytesIO, TextIOWrapper
from pathlib import Path

from msgspec import UNSET

from clusterprint.blueprint.content import TextFile
from clusterprint.errors import InternalError
from clusterprint.files.checked import content_of


def text_of(text: TextFile, folder: Path) -> str:
    """The text itself, wherever it is given; files lie below the blueprint's folder."""
    if text.inline is not UNSET:
        return text.inline
    if text.file is UNSET:
        raise InternalError(f"a {text.noun} with neither text nor file passed validation")
    with TextIOWrapper(BytesIO(content_of(folder / text.file, folder)), "utf-8") as stream:
        return stream.read()
