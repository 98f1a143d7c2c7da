"""The types of scenario files: the source of their schema."""

from typing import Annotated, Literal

from msgspec import UNSET, Meta, UnsetType, field

from clusterprint.blueprint.part import Part
from clusterprint.blueprint.texts import Duration
from clusterprint.capacity_models import CapacityModel
from clusterprint.whatif.facts import FACTS

_Names = tuple[Annotated[str, Meta(min_length=1, max_length=63)], ...]


class Event(Part, frozen=True, kw_only=True):
    """Something that happens to nodes, from a time after the creation on."""

    pools: Annotated[
        _Names,
        Meta(
            description="Pools or groups of nodes, as `clusterprint show` names them. Empty: all to which it "
            "can happen.",
            examples=[["workers"]],
        ),
    ] = ()
    start: Annotated[
        Duration | UnsetType,
        Meta(description="Time after the creation at which it begins. Left out: at the creation."),
    ] = field(default=UNSET, name="from")
    end: Annotated[
        Duration | UnsetType,
        Meta(description="Time after the creation at which it is over. Left out: it lasts to the end."),
    ] = field(default=UNSET, name="to")


class ZonedEvent(Event, frozen=True, kw_only=True):
    """An event that may be limited to zones."""

    zones: Annotated[
        _Names, Meta(description="Zones. Empty: all of the pools.", examples=[["us-central1-b"]])
    ] = ()


class StockOut(ZonedEvent, frozen=True, kw_only=True):
    """No more nodes can be had; those that are there stay. Reserved nodes are never out of stock."""

    machine_types: Annotated[
        _Names, Meta(description="Machine types. Empty: those of the pools.", examples=[["a3-ultragpu-8g"]])
    ] = ()
    models: Annotated[
        tuple[CapacityModel, ...], Meta(description="Capacity models. Empty: all.", examples=[["spot"]])
    ] = ()


class ZoneOutage(Event, frozen=True, kw_only=True):
    """All nodes of a zone are lost, reserved ones too, and none can be made there."""

    zone: Annotated[
        str | UnsetType,
        Meta(
            min_length=1,
            max_length=63,
            description="The zone. Left out: the one with the most accelerators, or else nodes.",
            examples=["us-central1-b"],
        ),
    ] = UNSET


class Preemptions(ZonedEvent, frozen=True, kw_only=True):
    """Spot nodes are preempted, by chance."""

    per_hour: Annotated[
        float,
        Meta(ge=0.001, le=0.999, description="Probability that a node is preempted within an hour."),
    ] = float(FACTS["preemptions"].value)
    refill: Annotated[
        Duration | UnsetType,
        Meta(description="Time until a preempted node is replaced. Left out: that of any new node."),
    ] = UNSET


class ReservationEnd(Part, frozen=True, kw_only=True):
    """A reservation ends, and its nodes with it."""

    reservation: Annotated[
        str | UnsetType,
        Meta(
            min_length=1,
            max_length=512,
            description="The reservation, as the blueprint names it. Left out: all.",
            examples=["h100-mega"],
        ),
    ] = UNSET
    at: Annotated[Duration, Meta(description="Time after the creation.", examples=["3d"])]


class QuotaCut(Event, frozen=True, kw_only=True):
    """The quota has room for a share of the nodes only. Reserved nodes need none."""

    share: Annotated[
        float, Meta(ge=0, le=0.99, description="Share of the pools' nodes that the quota allows.")
    ] = 0.5


class NodeFaults(ZonedEvent, frozen=True, kw_only=True):
    """Nodes fail, by chance, and are replaced if the blueprint says so."""

    every: Annotated[
        Duration | UnsetType,
        Meta(
            description="Mean time between two faults, of all nodes together. Left out: by the number of "
            "accelerators, at the rate of a large training, but at least one fault in `length` on average."
        ),
    ] = UNSET


class PriceChange(Event, frozen=True, kw_only=True):
    """Prices are multiplied."""

    factor: Annotated[float, Meta(ge=0.01, le=1000, description="Factor of the prices.", examples=[1.5])]


class Checkpoints(Part, frozen=True, kw_only=True):
    """How often jobs save their work."""

    every: Annotated[Duration, Meta(description="Work between two checkpoints.")] = str(FACTS["every"].value)
    takes: Annotated[Duration, Meta(description="Time that a checkpoint takes.")] = str(FACTS["takes"].value)


class ScenarioFile(Part, frozen=True, kw_only=True):
    """Events that may happen to clusters, for `clusterprint what-if`."""

    scenario: Annotated[
        Literal["v1"],
        Meta(
            description="Version of the scenario language. The first line of every scenario.", examples=["v1"]
        ),
    ]
    description: Annotated[
        str, Meta(max_length=500, description="The events, in a sentence.", examples=["A bad week."])
    ] = ""
    length: Annotated[Duration, Meta(description="Time after the creation that is looked at.")] = "7d"
    runs: Annotated[
        int,
        Meta(ge=1, le=1000, description="Number of runs whose mean is the answer, if chance plays a part."),
    ] = 20
    boot: Annotated[Duration, Meta(description="Time until a new node is there, if there is capacity.")] = (
        str(FACTS["boot"].value)
    )
    restart: Annotated[
        Duration, Meta(description="Time until a job computes again once its nodes are there.")
    ] = str(FACTS["restart"].value)
    checkpoints: Annotated[Checkpoints, Meta(description="How often jobs save their work.")] = Checkpoints()
    stock_outs: Annotated[
        tuple[StockOut, ...], Meta(description="Times in which no more nodes can be had.")
    ] = ()
    zone_outages: Annotated[tuple[ZoneOutage, ...], Meta(description="Failures of zones.")] = ()
    preemptions: Annotated[tuple[Preemptions, ...], Meta(description="Preemptions of spot nodes.")] = ()
    reservation_ends: Annotated[tuple[ReservationEnd, ...], Meta(description="Ends of reservations.")] = ()
    quota_cuts: Annotated[tuple[QuotaCut, ...], Meta(description="Cuts of quota.")] = ()
    node_faults: Annotated[tuple[NodeFaults, ...], Meta(description="Faults of nodes.")] = ()
    price_changes: Annotated[tuple[PriceChange, ...], Meta(description="Changes of prices.")] = ()


#: The fields that hold events.
EVENTS = (
    "stock_outs",
    "zone_outages",
    "preemptions",
    "reservation_ends",
    "quota_cuts",
    "node_faults",
    "price_changes",
)
