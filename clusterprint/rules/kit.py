"""Imports that nearly every rule needs."""

from collections.abc import Iterable, Iterator

from msgspec import UNSET

from clusterprint.diagnostic import Severity
from clusterprint.rules._known import known, values
from clusterprint.rules._repeated import again
from clusterprint.rules.context import Context
from clusterprint.rules.google._given import given
from clusterprint.rules.rule import Finding, rule
from clusterprint.words import amount, counted, did_you_mean, listed
from clusterprint.words.guesses import nearest

__all__ = [
    "UNSET",
    "Context",
    "Finding",
    "Iterable",
    "Iterator",
    "Severity",
    "again",
    "amount",
    "counted",
    "did_you_mean",
    "given",
    "known",
    "listed",
    "nearest",
    "rule",
    "values",
]
