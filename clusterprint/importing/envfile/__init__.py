"""Env files of the cluster provisioning container, of all its versions.

`read` takes the file apart (`read_environment` what docker made of it), `translate` says what its variables
mean, `command_of` what is to happen.
"""

from clusterprint.importing.envfile.command import command_of
from clusterprint.importing.envfile.environment import read_environment
from clusterprint.importing.envfile.read import Variable, read
from clusterprint.importing.envfile.translate import translate

__all__ = ["Variable", "command_of", "read", "read_environment", "translate"]
