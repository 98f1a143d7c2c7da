"""Keeps byte code for the tests, whoever forbids it.

Images of containers often set PYTHONDONTWRITEBYTECODE, to stay small. With it each process of a run, and
there are hundreds, compiles all that it loads, and pytest rewrites the asserts of all files in each of its
workers: more than the tests themselves take. Whoever sets it wants no byte code beside the sources, and
gets none: it goes into a folder of its own.
"""

import os
import sys
from pathlib import Path

_FOLDER = Path(__file__).resolve().parent.parent / ".cache" / "byte-code"

if os.environ.pop("PYTHONDONTWRITEBYTECODE", ""):
    os.environ["PYTHONPYCACHEPREFIX"] = sys.pycache_prefix = str(_FOLDER)
    sys.dont_write_bytecode = False
