"""What secrets look like, as data: the forms that are hardly ever anything else.

Why a table of our own: detect-secrets 1.5 takes 0.21 s to import (a whole `validate` takes 0.3 s), brings an HTTP
client, knows none of the forms of Azure (but one), Google, NVIDIA and Hugging Face, and its detectors of entropy and
of keywords report digests and names of secrets. The forms are written after what the issuers publish and checked
against two collections that are well kept, read on 2026-11-22: the configuration of gitleaks 8 and the patterns of
Microsoft's security-utilities. Forms of fixed length are taken from a lower length on, so that what was cut short,
or is issued longer one day, is recognized too.

Not here, because nothing tells them from ordinary text: bare hexadecimal or base64 (also a bare AWS secret key or an
old Azure key, which are recognized beside their name), passwords beside no name, and secrets inside of base64
other than keys in PEM or JSON.
"""

from clusterprint.masking.formats.anywhere import ANYWHERE
from clusterprint.masking.formats.clouds import CLOUDS
from clusterprint.masking.formats.code import CODE
from clusterprint.masking.formats.form import Format
from clusterprint.masking.formats.keys import KEYS
from clusterprint.masking.formats.models import MODELS
from clusterprint.masking.formats.services import SERVICES

__all__ = ["FORMATS", "Format"]

FORMATS = (*KEYS, *CLOUDS, *MODELS, *CODE, *SERVICES, *ANYWHERE)
