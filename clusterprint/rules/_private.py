"""Files that must not be carried away: what they are called, and what is in them."""

import os
import re
from collections.abc import Iterator
from fnmatch import fnmatchcase
from pathlib import Path, PurePath
from typing import NamedTuple
from weakref import WeakKeyDictionary

from clusterprint.blueprint.content import LocalFiles, TextFile
from clusterprint.rules import _paths
from clusterprint.rules.context import Context

# Names in lower case, with what such a folder or file is.
_FOLDERS = {
    ".git": "the data of a git repository, often with a token",
    ".terraform": "Terraform's working folder, with backend settings and state",
    ".ssh": "a folder of keys",
    ".gnupg": "a folder of keys",
    ".aws": "a folder of credentials",
    ".azure": "a folder of credentials",
    ".kube": "a folder of credentials",
}
_FILES = {
    "*.tfstate": "Terraform state",
    "*.tfstate.*": "Terraform state",
    "terraform.tfvars": "values of Terraform variables, often secret",
    "terraform.tfvars.json": "values of Terraform variables, often secret",
    "*.auto.tfvars": "values of Terraform variables, often secret",
    "*.auto.tfvars.json": "values of Terraform variables, often secret",
    ".terraformrc": "Terraform's settings, often with a token",
    "credentials.tfrc.json": "Terraform's credentials",
    ".env*": "environment variables, often secret",
    "id_rsa": "a private key",
    "id_dsa": "a private key",
    "id_ecdsa": "a private key",
    "id_ed25519": "a private key",
    "id_ecdsa_sk": "a private key",
    "id_ed25519_sk": "a private key",
    "*.pem": "a private key",
    "*.key": "a private key",
    "*.ppk": "a private key",
    "*.pfx": "a certificate with its private key",
    "*.p12": "a certificate with its private key",
    "kubeconfig": "credentials of Kubernetes clusters",
    "*.kubeconfig": "credentials of Kubernetes clusters",
    ".netrc": "logins",
    "_netrc": "logins",
    ".git-credentials": "logins",
    ".pgpass": "logins",
    ".pypirc": "logins",
    "application_default_credentials.json": "credentials of Google Cloud",
}
_PRIVATE_KEY = re.compile(rb"-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|PuTTY-User-Key-File-[0-9]")
# Certificates and public keys are files of the same endings, and no secret.
_PUBLIC = re.compile(rb"-----BEGIN (?:(?:TRUSTED )?CERTIFICATE|(?:RSA )?PUBLIC KEY)-----")
_SHARED_ENDINGS = (".pem", ".key")

# Keys are small; in a file that is larger, one may stand at the beginning.
_MOST_BYTES = 1 << 20


def what(path: Path, top: Path) -> str:
    """What a file below the folder `top` is, that it must not be carried away; empty if it may be.

    The content counts as much as the name, and a link is what it leads to as well.
    """
    content = _paths.head(path, _MOST_BYTES)
    if _PRIVATE_KEY.search(content):
        return "a private key"
    names = [PurePath(os.path.relpath(path, top)), path.resolve().relative_to(top.resolve())]
    found = next(filter(None, map(_of_name, names)), "")
    is_public = names[0].suffix.lower() in _SHARED_ENDINGS and _PUBLIC.search(content)
    return "" if is_public and found == _FILES["*.pem"] else found


def _of_name(path: PurePath) -> str:
    parts = [each.lower() for each in path.parts]
    folders = (_FOLDERS[each] for each in parts[:-1] if each in _FOLDERS)
    files = (words for name, words in _FILES.items() if fnmatchcase(parts[-1], name))
    # A worktree's or a submodule's `.git` is a file.
    return next((each for each in (*folders, *files, _FOLDERS.get(parts[-1], "")) if each), "")


class Private(NamedTuple):
    """A file, or a folder that is private as a whole, by its path from the source; and what it is."""

    name: str
    what: str


def carried(part: LocalFiles | TextFile, context: Context) -> list[Private]:
    """What a part would carry away and must not, each folder once. Two rules ask, so the answer is kept."""
    named = _paths.named(part, context)
    if named is None:
        return []
    kept = _looked_through.setdefault(context, {})
    if named.path not in kept:
        kept[named.path] = list(dict.fromkeys(_private(part, named, context)))
    return kept[named.path]


_looked_through: WeakKeyDictionary[Context, dict[Path, list[Private]]] = WeakKeyDictionary()


def _private(part: LocalFiles | TextFile, named: _paths.Named, context: Context) -> Iterator[Private]:
    if named.sort is _paths.Sort.FILE:
        found = what(named.path, context.folder)
        if found:
            yield Private(named.path.name, found)
    if named.sort is not _paths.Sort.FOLDER or isinstance(part, TextFile):
        return
    for entry in _paths.of_sort(named, context, _paths.Sort.FILE):
        folder = _folder_in(entry.name)
        found = _FOLDERS[folder.rpartition("/")[2].lower()] if folder else what(entry.path, context.folder)
        if found:
            yield Private(folder or entry.name, found)


def is_in(private: list[Private], name: str) -> bool:
    """Whether a file is among them; the same source is what both paths begin at."""
    return any(name == each.name or name.startswith(f"{each.name}/") for each in private)


def _folder_in(name: str) -> str:
    """The part of a path that ends with a private folder, or an empty text."""
    parts = name.split("/")
    return next(("/".join(parts[: i + 1]) for i, each in enumerate(parts) if each.lower() in _FOLDERS), "")
