"""Cloud Scheduler: jobs that call an address at set times."""

from __future__ import annotations

import re

from clusterprint_simcloud.arguments import Argument, adding
from clusterprint_simcloud.cloud.behaviour import Request, ResourceType
from clusterprint_simcloud.google.facts import known
from clusterprint_simcloud.google.iam import account
from clusterprint_simcloud.google.refusal import refusal
from clusterprint_simcloud.google.scheduling import block

JOB = "google_cloud_scheduler_job"
# Five fields of unix-cron, in digits; names of days and months are not looked at.
_FIELD = re.compile(r"[\d*/,A-Za-z-]+")
_MOST = (59, 23, 31, 12, 7)
# The longest that a call may be retried, and the most retries, as the API documents them.
_MOST_RETRIES = 5


def _check_schedule(request: Request) -> None:
    """Refuse what is no time: the wrong number of fields, or numbers out of range."""
    schedule = request.text("schedule")
    fields = schedule.split()
    fits = len(fields) == len(_MOST) and all(
        _FIELD.fullmatch(field) and all(int(number) <= most for number in re.findall(r"\d+", field))
        for field, most in zip(fields, _MOST, strict=False)
    )
    if not fits:
        raise refusal(request, f"Schedule or time zone is invalid: '{schedule}'.", "badRequest")


def _check_retries(request: Request) -> None:
    count = block(request.state, "retry_config").get("retry_count") or 0
    if isinstance(count, int) and count > _MOST_RETRIES:
        raise refusal(
            request, f"Job.retry_config.retry_count {count} is above {_MOST_RETRIES}.", "badRequest"
        )


RESOURCES = (
    ResourceType(
        JOB,
        "job",
        "projects/{project}/locations/{region}/jobs/{name}",
        adding(known(JOB), name=Argument(matches=r"[a-zA-Z\d_-]{1,500}")),
        computed={"state": "ENABLED", "paused": False},
        references=[account("http_target.oauth_token.service_account_email")],
        service="cloudscheduler.googleapis.com",
        checks=[_check_schedule, _check_retries],
    ),
)
