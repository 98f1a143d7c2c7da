"""Fields that alerts share."""

from typing import Annotated

from msgspec import Meta

from clusterprint.blueprint.texts import looks_like

ChannelName = Annotated[
    str,
    looks_like(
        "^[^\\x00-\\x1f\\x7f-\\x9f]{1,512}$",
        "the display name of a notification channel: a single line of at most 512 characters",
        "ml on call",
    ),
]

Channels = Annotated[
    tuple[ChannelName, ...],
    Meta(
        description="Existing notification channels to notify of incidents, by their display names, "
        "which must be unique. Left out: none; incidents are shown in Cloud Monitoring only.",
        examples=[["ml on call"]],
    ),
]
