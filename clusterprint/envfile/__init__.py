"""Env files of the cluster provisioning container, of all its versions, as blueprints.

`read` takes the file apart, `translate` says what its variables mean, `findings` is what is said about them.
"""

from clusterprint.envfile.findings import Finding
from clusterprint.envfile.read import Variable, read
from clusterprint.envfile.translate import translate
from clusterprint.envfile.work import Translated

__all__ = ["Finding", "Translated", "Variable", "read", "translate"]
