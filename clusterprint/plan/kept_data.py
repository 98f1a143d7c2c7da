"""The plan of what keeps data when a volume leaves a blueprint, where no provider does."""

from clusterprint.plan.part import PlanPart


class KeptVolumePlan(PlanPart, frozen=True, kw_only=True):
    """A created volume by its name, and whether its data may be lost.

    `key` tells its sort as well: one of another sort by the same name is another one.
    """

    key: str
    volume: str
    may_be_lost: bool


class KeptDataPlan(PlanPart, frozen=True, kw_only=True):
    """The created volumes of a cluster, and the script that keeps what leaves the blueprint.

    A cluster without volumes has it, too: it may have had some.
    """

    volumes: tuple[KeptVolumePlan, ...]
    script: str
