"""Env files of the cluster provisioning container, of all its versions.

`read` takes the file apart, `translate` says what its variables mean.
"""

from clusterprint.importing.envfile.read import Variable, read
from clusterprint.importing.envfile.translate import translate

__all__ = ["Variable", "read", "translate"]
