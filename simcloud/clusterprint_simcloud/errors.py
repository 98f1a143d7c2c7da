"""Errors that keep a simulation from starting; the cloud's refusals reach the user through Terraform."""


class SimulationError(Exception):
    """Base of all; the message is written for the user and says what to do."""


class NotAStack(SimulationError):  # noqa: N818 - it is the folder that is none
    """A folder that was to be planned holds no synthesized stack."""


class MissingPart(SimulationError):  # noqa: N818 - it is the part that is missing
    """A Terraform binary, the bindings of a provider or the facts about a version of it are not there."""


class NoLoopback(SimulationError):  # noqa: N818 - it is the network that is missing
    """The addresses that a machine reaches itself by cannot be used."""


class UnknownSource(SimulationError):  # noqa: N818 - it is the source that is not understood
    """The bindings of a provider are not written as those of the versions that are known."""
