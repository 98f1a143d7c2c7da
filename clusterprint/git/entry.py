"""Entries of a commit, as git lists them: files, links, folders, and their objects."""

import os
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import NamedTuple

TREE, BLOB = "tree", "blob"
_FILE_MODES, _LINK_MODE = ("100644", "100755", "100664"), "120000"


class Entry(NamedTuple):
    """Something in a commit: its place from the root, and the object that it is."""

    path: PurePosixPath
    mode: str
    sort: str
    id: str

    @property
    def is_file(self) -> bool:
        """Whether it is a regular file."""
        return self.sort == BLOB and self.mode in _FILE_MODES

    @property
    def is_program(self) -> bool:
        """Whether it is a file that may be run."""
        return self.is_file and self.mode == "100755"

    @property
    def is_link(self) -> bool:
        """Whether it is a symbolic link; its text is where it leads."""
        return self.sort == BLOB and self.mode == _LINK_MODE

    @property
    def is_folder(self) -> bool:
        """Whether it is a folder; what git keeps of a submodule is none."""
        return self.sort == TREE


def entries_in(output: bytes) -> Iterator[Entry]:
    """The output of `ls-tree -z`, without names that git itself would not check out."""
    for line in output.split(b"\0"):
        head, _, name = line.partition(b"\t")
        path = PurePosixPath(os.fsdecode(name))
        parts = {part.lower() for part in os.fsdecode(name).split("/")}
        if head and not parts & {"", ".", "..", ".git"}:
            mode, sort, number = os.fsdecode(head).split()
            yield Entry(path, mode, sort, number)
