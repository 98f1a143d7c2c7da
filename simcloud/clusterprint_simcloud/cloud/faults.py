"""Failures on demand: rules beside the cloud's contents, read by every provider process."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from clusterprint_simcloud import cache
from clusterprint_simcloud.cloud.contents import Cloud
from clusterprint_simcloud.values import texts

Operation = Literal["create", "update", "delete", "read", "plan", "configure"]


class Fault(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One rule: which call fails, and how.

    `match` is looked for in the text values of the resource. The rule acts on matching calls number `nth` to
    `nth + times - 1`. With `after`, the call has its effect before it fails or crashes; what was created is
    then in the state as tainted, or with `lost` in no state at all, as with a provider that
    could not wait for it. `crash` ends the provider process: only for providers that Terraform spawns.
    """

    operation: Operation
    type: str = ".*"
    match: str = ""
    nth: int = 1
    times: int = 1
    delay: float = 0.0  # seconds
    error: str = ""
    crash: bool = False
    after: bool = False
    lost: bool = False

    def fits(self, operation: str, kind: str, value: Any) -> bool:
        """Whether a call is one that the rule counts."""
        if self.operation != operation or not re.fullmatch(self.type, kind):
            return False
        return not self.match or any(re.search(self.match, text) for text in texts(value))


def install(cloud: Cloud, rules: Sequence[Fault]) -> None:
    """Replace all rules, and count from zero again."""
    cache.write(cloud.folder / "faults.json", msgspec.json.encode(list(rules)))
    with cloud.open() as contents:
        contents.matches.clear()


def due(cloud: Cloud, operation: str, kind: str, value: Any) -> Fault | None:
    """The rule that acts on this call, if any; counts the call."""
    path = cloud.folder / "faults.json"
    if not path.exists():
        return None
    acting = None
    rules = msgspec.json.decode(path.read_bytes(), type=list[Fault])
    with cloud.open() as contents:
        for position, rule in enumerate(rules):
            if not rule.fits(operation, kind, value):
                continue
            count = contents.matches[str(position)] = contents.matches.get(str(position), 0) + 1
            if acting is None and rule.nth <= count < rule.nth + rule.times:
                acting = rule
    return acting
